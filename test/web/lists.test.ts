import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Lists on pages without script: reading, making, changing, following and pinning them, and who may see them. */

const HOSTILE = '<b>x</b>"\u202e&';

let app: TestApp;
let alice: Browser;
let bob: Browser;
let visitor: Browser;

beforeAll(async () => {
  app = await startTestApp({
    world: {
      ...webWorld(),
      lists: [
        {
          id: '501',
          owner: 'bob',
          name: 'Pond',
          description: 'Who swims',
          members: ['alice', 'carol', 'dave'],
        },
        { id: '502', owner: 'bob', name: 'Nest', private: true, members: ['alice'] },
        { id: '503', owner: 'mallory', name: HOSTILE, description: HOSTILE, members: ['carol'] },
      ],
    },
  });
  [alice, bob, visitor] = [openBrowser(app), openBrowser(app), openBrowser(app)];
  await alice.signIn('alice', PASSWORDS.alice);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

const idOf = ({ location }: BrowserAnswer): string => /\/i\/lists\/(\d+)/.exec(location ?? '')?.[1] ?? '';

async function createList(browser: Browser, fields: Record<string, string>): Promise<string> {
  const answer = await send(browser, '/i/lists/create', fields);
  expect(answer.status).toBe(303);
  return idOf(answer);
}

describe('reading', () => {
  test('a List shows its owner, counts and the posts that the viewer may see', async () => {
    const page = await bob.get('/i/lists/501');
    expectValidPage(page, 'a List');
    expect(textOf(page)).toMatch(/Pond.*by Bob.*Who swims.*3 members.*0 followers/);
    for (const id of [POSTS.hello, POSTS.quote, POSTS.secret]) expect(page.text).toContain(`id="post-${id}"`);
    for (const reader of [alice, visitor]) {
      const { text } = await reader.get('/i/lists/501');
      expect(text).toContain(`id="post-${POSTS.hello}"`);
      expect(text).not.toContain('Nobody but followers');
    }
    expectValidPage(await visitor.get('/i/lists/501'), 'for visitors', 'public, no-cache');
  });

  test('members and followers have pages', async () => {
    expect(textOf(await visitor.get('/i/lists/501/members'))).toMatch(
      /Members of Pond.*@dave.*@carol.*@alice/,
    );
    expect(textOf(await visitor.get('/i/lists/501/followers'))).toContain('No followers yet.');
    expect((await visitor.get('/i/lists/501/members')).text).not.toContain('name="username"');
  });

  test('the posts of a List have pages', async () => {
    const id = await createList(alice, { name: 'Long' });
    await send(alice, `/i/lists/${id}/members`, { username: 'bob' });
    const token = await app.as('bob');
    for (let n = 0; n < 22; n += 1) await app.post('/2/tweets', token, { text: `Long post ${n}` });
    const first = await alice.get(`/i/lists/${id}`);
    const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await alice.get(next);
    expect(textOf(first)).toMatch(/Long post 21 .*Long post 2 /);
    expect(textOf(second)).toMatch(/Long post 1 .*Long post 0 /);
    expect(second.text).toContain(`href="/i/lists/${id}">Newest posts</a>`);
  });

  test('hostile names and descriptions are text', async () => {
    for (const path of [
      '/i/lists/503',
      '/i/lists/503/members',
      '/mallory/lists',
      '/carol/lists/memberships',
    ]) {
      const page = await visitor.get(path);
      expectValidPage(page, path, path === '/i/lists/503' ? 'public, no-cache' : 'no-store');
      expect(page.text).toContain('&lt;b&gt;x&lt;/b&gt;&quot;');
      expect(page.text).not.toContain('<b>x');
    }
  });

  test.each(['x', '0', '1', '9'.repeat(25), '%3Cscript%3E'])('no List has the id %s', async (id) => {
    for (const part of ['', '/members', '/followers', '/edit'])
      expect((await bob.get(`/i/lists/${id}${part}`)).status).toBe(404);
  });
});

describe('the Lists of a user', () => {
  test('are those that the user owns, follows and is on, as far as the viewer may see them', async () => {
    expect(textOf(await bob.get('/bob/lists'))).toMatch(/Nest Private.*1 member.*Pond.*3 members/);
    expect(textOf(await visitor.get('/bob/lists'))).toMatch(/Lists of Bob.*Pond/);
    expect(textOf(await visitor.get('/alice/lists/memberships'))).toContain('Pond');
    expect(textOf(await visitor.get('/alice/lists/followed'))).toContain('No followed Lists.');
    expectValidPage(await bob.get('/bob/lists'), 'own Lists');
    expect((await visitor.get('/BOB/lists')).location).toBe('/bob/lists');
    expect((await visitor.get(`/i/user/${USERS.bob}/lists/followed`)).location).toBe('/bob/lists/followed');
    expect((await visitor.get('/nobody/lists')).status).toBe(404);
  });

  test('of a protected account are hidden from others', async () => {
    await app.post('/2/lists', await app.as('dave'), { name: 'Quiet waters' });
    expect(textOf(await visitor.get('/dave/lists'))).not.toContain('Quiet waters');
    expect(textOf(await bob.get('/dave/lists'))).toContain('Quiet waters');
  });

  test('a private List is there for its owner alone', async () => {
    for (const reader of [alice, visitor]) {
      for (const part of ['', '/members', '/followers', '/feed.atom', '/feed.rss'])
        expect([part, (await reader.get(`/i/lists/502${part}`)).status]).toEqual([part, 404]);
      for (const path of ['/bob/lists', '/alice/lists/memberships'])
        expect((await reader.get(path)).text).not.toContain('Nest');
    }
    for (const act of ['follow', 'pin', 'edit', 'delete', 'members']) {
      const answer = await send(alice, '/home', { on: 'yes', username: 'carol' }, `/i/lists/502/${act}`);
      expect([act, answer.status]).toEqual([act, 404]);
    }
    const own = await bob.get('/i/lists/502');
    expectValidPage(own, 'a private List');
    expect(textOf(own)).toContain('Nest Private');
  });
});

describe('making and changing', () => {
  test('a List is made, renamed and deleted by its owner', async () => {
    const id = await createList(alice, { name: 'Herons', description: 'Grey & white', private: 'yes' });
    expect((await visitor.get(`/i/lists/${id}`)).status).toBe(404);
    const form = await alice.get(`/i/lists/${id}/edit`);
    expectValidPage(form, 'the form');
    expect(form.text).toMatch(/name="private" value="yes" checked/);
    await send(alice, `/i/lists/${id}/edit`, { name: 'Egrets', description: '' });
    expect(textOf(await visitor.get(`/i/lists/${id}`))).toContain('Egrets');
    for (const part of ['edit', 'delete'])
      expect((await send(bob, '/home', { name: 'Mine' }, `/i/lists/${id}/${part}`)).status).toBe(404);
    const gone = await send(alice, `/i/lists/${id}/edit`, {}, `/i/lists/${id}/delete`);
    expect(gone.location).toBe('/alice/lists?done=deleted');
    expect(textOf(await alice.follow(gone))).toContain('The List is deleted.');
    expect((await alice.get(`/i/lists/${id}`)).status).toBe(404);
  });

  test.each([
    [{ name: '' }, 'A name has 1 to 25 characters.'],
    [{ name: 'x'.repeat(26) }, 'A name has 1 to 25 characters.'],
    [{ name: 'Fine', description: 'y'.repeat(101) }, 'A description has at most 100 characters.'],
  ])('%j is refused beside its field, with what was written', async (fields, fault) => {
    for (const path of ['/i/lists/create', '/i/lists/501/edit']) {
      const answer = await send(bob, path, fields);
      expect(answer.status).toBe(400);
      expectValidPage(answer, path);
      expect(textOf(answer)).toContain(fault);
      expect(answer.text).toContain(Object.values(fields).at(-1) ?? '');
    }
    expect(textOf(await visitor.get('/i/lists/501'))).toContain('Pond');
  });

  test('members are added by name and removed; faults stand beside the name', async () => {
    const path = `/i/lists/${await createList(alice, { name: 'Swans' })}/members`;
    await send(alice, path, { username: '@carol' });
    expect(textOf(await visitor.get(path))).toContain('@carol');
    for (const username of ['mallory', 'nobody', '', '<script>', 'x'.repeat(300)]) {
      const answer = await send(alice, path, { username });
      expect([username, answer.status]).toEqual([username, 400]);
      expectValidPage(answer, path);
      expect(answer.text).toContain('id="username-fault"');
    }
    expect((await send(bob, '/home', { username: 'bob' }, path)).status).toBe(403);
    expect(textOf(await visitor.get(path))).not.toContain('@bob');
    await send(alice, path, { user_id: USERS.carol, on: 'no' });
    expect(textOf(await visitor.get(path))).toContain('No members yet.');
  });

  test('a profile leads to the own Lists, and from there to one with its user', async () => {
    const profile = await bob.get('/alice');
    const path = `/i/users/${USERS.alice}/lists`;
    expect(profile.text).toContain(`href="${path}"`);
    const page = await bob.get(path);
    expectValidPage(page, path);
    expect(page.text).toContain(`Remove<span class="hidden"> Alice: Pond`);
    const removed = await send(
      bob,
      path,
      { user_id: USERS.alice, on: 'no', back: path },
      '/i/lists/501/members',
    );
    expect(removed.location).toBe(path);
    expect((await bob.get(path)).text).toContain(`Add<span class="hidden"> Alice: Pond`);
    await send(bob, path, { user_id: USERS.alice, on: 'yes' }, '/i/lists/501/members');
    const made = await send(bob, `/i/lists/create?back=${path}`, { name: 'From a profile', back: path });
    expect(textOf(await bob.follow(made))).toMatch(/From a profile.*Add Alice: From a profile/);
    const away = await send(
      bob,
      path,
      { user_id: USERS.alice, back: '//evil.example' },
      '/i/lists/501/members',
    );
    expect(away.location).toBe('/i/lists/501/members');
    for (const id of ['x', '1']) expect((await bob.get(`/i/users/${id}/lists`)).status).toBe(404);
  });
});

describe('following and pinning', () => {
  test('a follower finds the List among the followed ones', async () => {
    await send(alice, '/i/lists/501', { on: 'yes' }, '/i/lists/501/follow');
    expect(textOf(await alice.get('/alice/lists/followed'))).toContain('Pond');
    expect(textOf(await visitor.get('/i/lists/501/followers'))).toContain('@alice');
    expect(textOf(await alice.get('/i/lists/501'))).toMatch(/1 follower .*Unfollow/);
    await send(alice, '/i/lists/501', { on: 'no' }, '/i/lists/501/follow');
    expect(textOf(await alice.get('/i/lists/501'))).toContain('0 followers');
  });

  test('a pinned List is a tab of the home timeline', async () => {
    expect((await bob.get('/home')).text).not.toContain('aria-label="Timelines"');
    await send(bob, '/i/lists/501', { on: 'yes' }, '/i/lists/501/pin');
    for (const path of ['/home', '/i/lists/501'])
      expect((await bob.get(path)).text).toMatch(/aria-label="Timelines"[^]*href="\/i\/lists\/501"[^]*Pond/);
    expect(textOf(await bob.get('/bob/lists'))).toMatch(/Pinned.*Pond.*Unpin/);
    expect((await visitor.get('/bob/lists')).text).not.toContain('id="pinned"');
    const back = await send(bob, '/i/lists/501', { on: 'no', back: '/bob/lists' }, '/i/lists/501/pin');
    expect(back.location).toBe('/bob/lists');
    expect((await bob.get('/home')).text).not.toContain('aria-label="Timelines"');
  });
});
