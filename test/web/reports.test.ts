import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOperator } from '../../src/stores/operators.js';
import type { UserId } from '../../src/core/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { csrfOf, expectValidPage, linksOf, makeOperator, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Reports, their decisions, removals and the audit log, by pages without script. */

const HOSTILE = '"><script>alert(1)</script>\u202e<img src=x onerror=alert(1)>';
const DESK = '/operator-desk';

let nowMs = Date.UTC(2022, 9, 7);
let app: TestApp;
let operator: Browser;
let bob: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld(), clock: () => (nowMs += 1) });
  await makeOperator(app, 'alice');
  operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
  bob = openBrowser(app);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

const casePath = async (list = `${DESK}/reports`): Promise<string> =>
  linksOf(await operator.get(list)).find((link) => /^\/operator-desk\/reports\/\d+$/.test(link)) ?? '';

test('a member reports a post from its menu, with a reason and a bounded comment', async () => {
  const path = `/i/posts/${POSTS.quote}/report`;
  expect(linksOf(await bob.get(`/i/posts/${POSTS.quote}/menu`))).toContain(path);
  expect(linksOf(await bob.get('/carol'))).toContain(`/i/users/${USERS.carol}/report`);
  const page = await bob.get(path);
  expectValidPage(page, path);
  expect(textOf(page)).toContain('Look at this');
  const without = await bob.submit(page, { reason: '', comment: HOSTILE });
  expect(without.status).toBe(400);
  expectValidPage(without, 'refused');
  expect(textOf(without)).toContain('Choose a reason.');
  expect(without.text).toContain('&lt;script&gt;alert(1)');
  const long = await bob.submit(page, { reason: 'spam', comment: 'x'.repeat(501) });
  expect([long.status, /aria-invalid/.test(long.text)]).toEqual([400, true]);
  const sent = await bob.submit(page, { reason: 'abuse', comment: HOSTILE });
  expect([sent.status, textOf(sent)]).toEqual([200, expect.stringContaining('Report sent')]);
  expectValidPage(sent, 'sent');
  expect((await bob.post(path, { reason: 'spam' })).status).toBe(403);
  expect((await bob.get(`/i/posts/999/report`)).status).toBe(404);
  expect((await bob.get(`/i/users/x/report`)).status).toBe(404);
});

test('operators see the post as it was, who reported it and why; nobody else does', async () => {
  const carol = await app.as('carol');
  await app.delete(`/2/tweets/${POSTS.quote}`, carol);
  const list = await operator.get(`${DESK}/reports`);
  expectValidPage(list, 'list');
  expect(textOf(list)).toMatch(
    /Post by @carol Look at this \S+ 1 report: Insults, threats or harassment \(1\)/,
  );
  const path = await casePath();
  const page = await operator.get(path);
  expectValidPage(page, path);
  expect(textOf(page)).toMatch(/Look at this .*Deleted since .* by @bob/);
  expect(page.text).toContain('&lt;script&gt;alert(1)');
  expect(page.text).not.toContain('Remove the post');
  expect((await bob.get(path)).status).toBe(403);
  expect((await bob.get(`${DESK}/reports`)).status).toBe(403);
  for (const id of ['0', '99', 'x', '9'.repeat(30)])
    expect((await operator.get(`${DESK}/reports/${id}`)).status).toBe(404);
});

test('an operator writes notes and dismisses reports; both are in the history and the audit log', async () => {
  const path = await casePath();
  expect((await send(operator, path, { note: ' ' }, `${path}/note`)).status).toBe(400);
  const noted = await send(operator, path, { note: HOSTILE }, `${path}/note`);
  const page = await operator.follow(noted);
  expectValidPage(page, 'noted');
  expect(textOf(page)).toContain('Your note was added.');
  expect((await send(bob, '/home', { note: 'x' }, `${path}/note`)).status).toBe(403);
  const dismissed = await operator.follow(await send(operator, path, { note: 'A joke' }, `${path}/dismiss`));
  expect(textOf(dismissed)).toMatch(/The reports were dismissed.*No open reports/);
  expect((await send(operator, path, { note: '' }, `${path}/dismiss`)).status).toBe(404);
  expect(textOf(await operator.get(`${DESK}/reports?state=closed`))).toContain('Dismissed');
  const log = await operator.get(`${DESK}/audit`);
  expectValidPage(log, 'log');
  expect(textOf(log)).toMatch(
    /@alice : Dismissed the reports of post of @carol .* A joke .*Wrote a note about post of @carol/,
  );
});

test('a removal needs a reason, which the author reads', async () => {
  expect(linksOf(await operator.get(`/i/posts/${POSTS.reply}/menu`))).toContain(
    `${DESK}/posts/${POSTS.reply}`,
  );
  expect(linksOf(await bob.get(`/i/posts/${POSTS.hello}/menu`)).join()).not.toContain(DESK);
  await send(operator, `/i/posts/${POSTS.reply}/report`, { reason: 'spam' });
  const path = await casePath();
  const refused = await send(operator, path, { reason: '' }, `${path}/remove`);
  expect(refused.status).toBe(400);
  expectValidPage(refused, 'refused');
  const form = `${DESK}/posts/${POSTS.reply}`;
  expectValidPage(await operator.get(form), form);
  expect((await send(operator, form, { reason: 'x'.repeat(501) })).status).toBe(400);
  expect((await send(operator, form, { reason: HOSTILE })).location).toBe(`${DESK}/reports?done=removed`);
  expect((await operator.get(form)).status).toBe(404);
  expect((await bob.get(`/bob/status/${POSTS.reply}`)).status).toBe(404);
  expect(textOf(await operator.get(path))).toContain('Post removed');
  for (const above of ['/home', '/notifications'])
    expect(textOf(await bob.get(above))).toContain('The operators removed a post of yours.');
  const notices = await bob.get('/my-account/notices');
  expectValidPage(notices, 'notices');
  expect(textOf(notices)).toMatch(/new @alice Good morning! Reason: .*&lt;script&gt;alert/);
  const up_to_id = /name="up_to_id" value="(\d+)"/.exec(notices.text)?.[1] ?? '';
  const read = await bob.follow(await send(bob, '/my-account/notices', { up_to_id }));
  expect(textOf(read)).toContain('Marked as read.');
  expect(textOf(await bob.get('/home'))).not.toContain('The operators removed');
});

test('a suspended user reads the reason at sign-in, but only with the password', async () => {
  await send(operator, `/i/users/${USERS.bob}/report`, { reason: 'hate' });
  const path = await casePath();
  expect(textOf(await operator.get(path))).toContain('Reported account @bob');
  const done = await send(operator, path, { reason: HOSTILE }, `${path}/suspend`);
  expect(done.location).toBe(`${DESK}/reports?done=suspended`);
  expect((await bob.get('/home')).status).toBe(303);
  const refused = await openBrowser(app).signIn('bob', PASSWORDS.bob);
  expect(refused.status).toBe(403);
  expect(textOf(refused)).toContain('The operators gave this reason: &quot;&gt;&lt;script&gt;alert(1)');
  expect(textOf(await openBrowser(app).signIn('bob', 'wrong'))).not.toContain('suspended');
  const user = `${DESK}/users/${USERS.bob}`;
  await send(operator, user, {}, `${user}/restore`);
  await bob.signIn('bob', PASSWORDS.bob);
  expect((await bob.get('/home')).status).toBe(200);
});

test('an operator does not learn who reported the operator, and lets another one decide', async () => {
  await send(bob, `/i/users/${USERS.alice}/report`, { reason: 'other', comment: 'power' });
  const path = await casePath();
  const page = await operator.get(path);
  expect(textOf(page)).toMatch(/These are about you.*power/);
  expect(textOf(page)).not.toContain('by @bob');
  await makeOperator(app, 'carol');
  for (const action of ['dismiss', 'suspend'])
    expect((await send(operator, path, { reason: 'x' }, `${path}/${action}`)).status).toBe(403);
  const { engine } = app.pipit.backend;
  await engine.tx('not', (tx) => deleteOperator(tx, BigInt(USERS.carol) as UserId));
  expect((await send(operator, path, {}, `${path}/dismiss`)).status).toBe(303);
});

test('every action of an operator is in the audit log, without secrets', async () => {
  const user = `${DESK}/users/${USERS.bob}`;
  const link = await send(operator, user, { by: 'link' }, `${user}/recovery`);
  const apps = `${DESK}/apps/3002`;
  await send(operator, apps, { access_level: 'basic', track: 'standard' });
  const invitations = `${DESK}/invitations`;
  await send(operator, invitations, { note: HOSTILE });
  const invitation = /name="invitation" value="([^"]+)"/.exec((await operator.get(invitations)).text)?.[1];
  await send(operator, invitations, { invitation: invitation ?? '' }, `${invitations}/withdraw`);
  await send(operator, user, { operates: 'yes' }, `${user}/operator`);
  await send(operator, user, { operates: 'no' }, `${user}/operator`);
  await send(operator, user, { by: 'password' }, `${user}/recovery`);
  const page = await operator.get(`${DESK}/audit`);
  expectValidPage(page, 'log');
  const expected = [
    'Set the password of @bob',
    'Dismissed as an operator: @bob',
    'Made an operator: @bob',
    'Withdrew an invitation',
    'Created an invitation',
    'Changed the app Native now access level: essential → basic',
    'Created a password link for @bob',
  ];
  // The words are in the form, too.
  const text = textOf(page).split(' Filter ')[1] ?? '';
  const places = expected.map((words) => text.indexOf(words));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  const token = /token=([\w-]+)/.exec(link.text)?.[1] ?? 'missing';
  expect(page.text).not.toContain(token);
});

test('the audit log is filtered by person, action and day, and refuses other words', async () => {
  const log = async (query: Record<string, string>) =>
    operator.get(`${DESK}/audit?${new URLSearchParams(query).toString()}`);
  expect(textOf(await log({ action: 'user.suspend' }))).toContain('Suspended @bob');
  expect(textOf(await log({ action: 'user.suspend' }))).not.toContain('Restored @bob');
  expect(textOf(await log({ by: '@ALICE', from: '2022-10-07', until: '2022-10-07' }))).toContain('Restored');
  bob = openBrowser(app);
  expect(textOf(await log({ by: 'bob' }))).toContain('No such entries.');
  expect(textOf(await log({ by: 'command line' }))).toContain('No such entries.');
  expect(textOf(await log({ until: '2022-10-06' }))).toContain('No such entries.');
  const refused = [
    ['by', HOSTILE],
    ['action', HOSTILE],
    ['from', HOSTILE],
    ['until', '2022-13-40'],
  ] as const;
  for (const [name, text] of refused) {
    const page = await log({ [name]: text });
    expect(page.status).toBe(400);
    expectValidPage(page, name);
  }
});

test('an operator who is dismissed loses the desk at once, with forms that are open', async () => {
  const csrf = csrfOf((await operator.get(`${DESK}/audit`)).text);
  const { engine } = app.pipit.backend;
  await engine.tx('not', (tx) => deleteOperator(tx, BigInt(USERS.alice) as UserId));
  for (const path of [`${DESK}/reports`, `${DESK}/audit`, `${DESK}/posts/${POSTS.hello}`])
    expect((await operator.get(path)).status).toBe(403);
  const removal = await operator.post(`${DESK}/posts/${POSTS.hello}`, { csrf, reason: 'x' });
  expect(removal.status).toBe(403);
});
