import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { standardWorld } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, linksOf, makeOperator, send, textOf } from './support/pages.js';
import { PASSWORDS } from './support/web-world.js';

/** What new operators and members see above their home timeline, without script. */

let app: TestApp;

beforeAll(async () => {
  const users = [{ id: '1001', username: 'alice', name: 'Alice', password: PASSWORDS.alice }];
  app = await startTestApp({ world: { users, apps: standardWorld()['apps'] }, flags: { signUp: 'open' } });
  await makeOperator(app, 'alice');
});
afterAll(() => app.close());

const signUp = async (username: string): Promise<Browser> => {
  const browser = openBrowser(app);
  const page = await browser.get('/sign-up');
  const password = 'a pond of many words';
  await browser.submit(page, { username, name: '<i>New</i>', password, invitation: '' });
  return browser;
};

test('the owner of an empty network ticks off three steps, which disappear when they are done', async () => {
  const owner = openBrowser(app);
  await owner.signIn('alice', PASSWORDS.alice);
  const home = await owner.get('/home');
  expectValidPage(home, 'home');
  expect(textOf(home)).toMatch(/Welcome, .*Give your server a name Invite people Write your first post/);
  expect(textOf(home)).toContain('find some under Explore');
  expect(linksOf(home)).toEqual(
    expect.arrayContaining(['/operator-desk/invitations', '/operator-desk/server', '/compose/post']),
  );
  await send(owner, '/operator-desk/invitations', { note: 'Dora' });
  expect(textOf(await owner.get('/home'))).toContain('Invite people (done)');
  await app.post('/2/tweets', await app.as('alice'), { text: 'First' });
  expect(textOf(await owner.get('/home'))).toContain('Write your first post (done)');
  expect((await send(owner, '/operator-desk/server', { name: 'Pipit' })).status).toBe(303);
  expect(textOf(await owner.get('/home'))).not.toContain('Welcome');
  const steps = await app.get('/_pipit/first_steps', await app.as('alice'));
  expect(steps.body.data).toEqual({
    is_dismissed: false,
    steps: [
      { id: 'name_server', is_done: true },
      { id: 'invite_people', is_done: true },
      { id: 'write_post', is_done: true },
    ],
  });
});

test('a newcomer gets people to follow and comes back home, and can dismiss the steps', async () => {
  const dora = await signUp('dora');
  const home = await dora.get('/home');
  expectValidPage(home, 'home');
  expect(textOf(home)).toMatch(/Follow people Write your first post People on this server .*@alice/);
  expect(home.text).not.toContain('/operator-desk');
  expect(home.text).toContain('&lt;i&gt;New&lt;/i&gt;');
  const followed = await send(dora, '/home', { on: 'yes', back: '/home' }, '/i/users/1001/follow');
  expect(followed.location).toBe('/home');
  const after = textOf(await dora.get('/home'));
  expect(after).toMatch(/Follow people \(done\).*First/);
  expect(after).not.toContain('People on this server');
  expect((await dora.post('/i/first-steps/dismiss', {})).status).toBe(403);
  expect((await send(dora, '/home', {}, '/i/first-steps/dismiss')).location).toBe('/home');
  expect(textOf(await dora.get('/home'))).not.toContain('Welcome');
  const elsewhere = await send(dora, '/home', { on: 'no', back: '//evil.example' }, '/i/users/1001/follow');
  expect(elsewhere.location).toBe('/i/user/1001');
});

test('first steps are those of a user', async () => {
  expect((await app.get('/_pipit/first_steps')).status).toBe(401);
  const eve = await signUp('eve');
  expect(textOf(await eve.get('/home'))).toContain('Welcome');
});
