import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** What people do on pages without script: posting, replying, liking, following, and being notified of it. */

const COMPOSE = '/compose/post';
const CAROL_PASSWORD = 'correct horse carol';

let app: TestApp;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  const world = webWorld();
  const users = world.users?.map((user) =>
    (user as { username: string }).username === 'carol'
      ? { ...(user as object), password: CAROL_PASSWORD }
      : user,
  );
  app = await startTestApp({ world: { ...world, users } });
  [alice, bob] = [openBrowser(app), openBrowser(app)];
  await alice.signIn('alice', PASSWORDS.alice);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

async function write(browser: Browser, fields: Record<string, string>): Promise<BrowserAnswer> {
  return browser.follow(await send(browser, COMPOSE, fields));
}

const idOf = ({ text }: BrowserAnswer): string => /class="post main" id="post-(\d+)"/.exec(text)?.[1] ?? '';

describe('writing', () => {
  test('a post appears on its page, in the home timeline and on the profile', async () => {
    const page = await write(alice, { text: 'A line\r\nand <b>another</b>' });
    expect(textOf(page)).toContain('and &lt;b&gt;another');
    for (const path of ['/home', '/alice'])
      expect((await alice.get(path)).text).toContain(`id="post-${idOf(page)}"`);
    expect(textOf(await bob.get(`/alice/status/${idOf(page)}`))).toContain('and &lt;b&gt;another');
  });

  test('a reply, a quote and a poll lead to the post that they made', async () => {
    const top = idOf(await write(alice, { text: 'A question' }));
    const form = await bob.get(`/i/status/${top}`);
    expect((await bob.follow(form)).text).toContain(`name="reply_to" value="${top}"`);
    const reply = await write(bob, { text: 'An answer', reply_to: top });
    expect(textOf(reply)).toMatch(/A question.*An answer/);
    const quote = await write(bob, { text: 'Look', quote: top });
    expect(textOf(quote)).toMatch(/Look.*A question/);
    const poll = await write(alice, { text: 'Tea?', option1: 'Yes', option2: 'No', days: '1' });
    expect(textOf(poll)).toMatch(/Tea\?.*Yes.*No.*0 votes/);
  });

  test.each([
    [{ text: '' }],
    [{ text: 'x'.repeat(281) }],
    [{ text: 'Poll of one', option1: 'Yes', days: '1' }],
    [{ text: 'Poll of no time', option1: 'Yes', option2: 'No', days: 'x' }],
    [{ text: 'Limits', reply_settings: 'nobody' }],
    [{ text: 'To nothing', reply_to: '1' }],
    [{ text: 'To no id', reply_to: 'x' }],
  ])('%j is refused with its text kept', async (fields) => {
    const answer = await send(alice, COMPOSE, fields);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.text).toContain(`\n${fields.text}</textarea>`);
  });

  test('a repeated text is refused beside the field', async () => {
    await write(alice, { text: 'Once only' });
    const again = await send(alice, COMPOSE, { text: 'Once only' });
    expect([again.status, again.location]).toEqual([400, undefined]);
    expect(again.text).toMatch(/<p class="fault" id="text-fault">[^<]+/);
  });
});

describe('acting', () => {
  const act = (browser: Browser, path: string, on = 'yes') =>
    send(browser, '/home', { on, back: '/alice' }, path);

  test('likes, reposts and bookmarks are shown pressed, and can be taken back', async () => {
    const id = idOf(await write(alice, { text: 'To be liked' }));
    for (const action of ['like', 'repost', 'bookmark']) {
      expect((await act(bob, `/i/posts/${id}/${action}`)).location).toBe(`/alice#post-${id}`);
      const pressed = new RegExp(`formaction="/i/posts/${id}/${action}"[^>]*aria-pressed="true"`);
      expect((await bob.get(`/alice/status/${id}`)).text).toMatch(pressed);
      await act(bob, `/i/posts/${id}/${action}`, 'no');
      expect((await bob.get(`/alice/status/${id}`)).text).not.toMatch(pressed);
    }
    const part = await bob.post(
      `/i/posts/${id}/like`,
      { csrf: /name="csrf" value="([^"]+)"/.exec((await bob.get('/home')).text)?.[1] ?? '', on: 'yes' },
      { 'pipit-part': 'post' },
    );
    expect(part.text).toMatch(/^<article[^]*aria-label="Like, 1"/);
    expect((await bob.post(`/i/posts/${id}/like`, { on: 'yes' })).status).toBe(403);
    expect((await act(bob, '/i/posts/1/like')).status).toBe(404);
    expect((await act(bob, `/i/posts/${id}/like`)).location).not.toContain('//');
  });

  test('a poll takes one vote of each other user, and then shows its results', async () => {
    const poll = await write(alice, { text: 'Tea or coffee?', option1: 'Tea', option2: 'Coffee', days: '1' });
    const id = idOf(poll);
    expect(poll.text).not.toContain('/vote"');
    expect((await bob.get(`/alice/status/${id}`)).text).toContain(`formaction="/i/posts/${id}/vote"`);
    for (const option of ['0', '3', 'x', '']) {
      const { status } = await send(bob, '/home', { option }, `/i/posts/${id}/vote`);
      expect([option, status]).toEqual([option, 400]);
    }
    await send(bob, '/home', { option: '2', back: '/home' }, `/i/posts/${id}/vote`);
    const voted = await bob.get(`/alice/status/${id}`);
    expect(textOf(voted)).toMatch(/Tea\s+0%.*Coffee\s+Your vote\s+100%.*1 vote/);
    expect((await send(bob, '/home', { option: '1' }, `/i/posts/${id}/vote`)).status).toBe(403);
    expect((await send(alice, '/home', { option: '1' }, `/i/posts/${id}/vote`)).status).toBe(403);
  });

  test('only own posts can be deleted; the menu offers what is possible', async () => {
    const id = idOf(await write(alice, { text: 'To be deleted' }));
    expectValidPage(await alice.get(`/i/posts/${id}/menu`), 'menu');
    expect(textOf(await bob.get(`/i/posts/${id}/menu`))).not.toContain('Delete');
    expect((await send(bob, '/home', {}, `/i/posts/${id}/delete`)).status).toBe(403);
    await send(alice, '/home', {}, `/i/posts/${id}/pin`);
    expect((await send(alice, '/home', {}, `/i/posts/${id}/delete`)).location).toBe('/home');
    expect((await alice.get(`/alice/status/${id}`)).status).toBe(404);
  });

  test('follows, mutes and blocks are the buttons of a profile', async () => {
    await send(bob, '/home', { on: 'no' }, `/i/users/${USERS.carol}/follow`);
    expect(textOf(await bob.get('/carol'))).toContain('Follow Carol');
    await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.carol}/follow`);
    expect(textOf(await bob.get('/carol'))).toContain('Unfollow Carol');
    for (const [relation, words, list] of [
      ['mute', 'Unmute', '/my-account/muted'],
      ['block', 'Unblock', '/my-account/blocked'],
    ] as const) {
      await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.carol}/${relation}`);
      expect(textOf(await bob.get('/carol'))).toContain(words);
      const people = await bob.get(list);
      expectValidPage(people, list);
      expect(textOf(people)).toMatch(new RegExp(`@carol\\s+${words}`));
      await send(bob, '/home', { on: 'no' }, `/i/users/${USERS.carol}/${relation}`);
      expect(textOf(await bob.get(list))).not.toContain('@carol');
    }
    const own = await bob.get('/bob');
    expect(own.text).not.toContain('/follow"');
    expect(textOf(own)).toContain('Edit profile');
  });

  test('people in lists are followed where they stand, and followers are removed', async () => {
    await send(alice, '/home', { on: 'yes' }, `/i/users/${USERS.carol}/follow`);
    const path = `/i/users/${USERS.carol}/follow`;
    const following = await alice.get('/alice/following');
    expectValidPage(following, 'following');
    expect(following.text).toContain(`formaction="${path}"`);
    const csrf = csrfOf(following.text);
    const part = await alice.post(path, { csrf, on: 'no' }, { 'pipit-part': 'follow' });
    expect([part.status, part.text]).toEqual([200, expect.stringMatching(/^<button[^]*Follow<span/)]);
    expect((await openBrowser(app).get('/alice/followers')).text).not.toContain('formaction');

    await send(alice, '/home', { on: 'yes' }, `/i/users/${USERS.bob}/follow`);
    expect(textOf(await bob.get('/alice'))).toContain('Remove follower');
    await send(bob, '/home', {}, `/i/users/${USERS.alice}/follower`);
    expect(textOf(await bob.get('/alice'))).not.toMatch(/Remove follower|Follows you/);
    expect(textOf(await alice.get('/bob'))).toContain('Follow Bob');
  });

  test('notifications show who did what, and are read when they are shown', async () => {
    const id = idOf(await write(alice, { text: 'News of alice' }));
    await act(bob, `/i/posts/${id}/like`);
    expect((await alice.get('/home')).text).toContain('class="badge-count"');
    const page = await alice.get('/notifications');
    expectValidPage(page, 'notifications');
    expect(textOf(page)).toMatch(/Bob\s+liked your post.*News of alice/);
    expect((await alice.get('/home')).text).not.toContain('class="badge-count"');
    expect((await openBrowser(app).get('/notifications')).location).toContain('/sign-in');
    expect(POSTS.hello).not.toBe(id);
    await write(bob, { text: 'A word to @alice' });
    const mentions = textOf(await alice.get('/notifications/mentions'));
    expect(mentions).toMatch(/Mentioned you.*A word to @alice/);
    expect(mentions).not.toContain('liked your post');
    // Those among the others are read with them.
    expect((await alice.get('/home')).text).toContain('class="badge-count"');
  });
});

describe('finding', () => {
  test('search shows posts and people, and says what is wrong with a query', async () => {
    // Search leaves the newest seconds out (docs/api/search.md), so this one is from the world.
    const id = POSTS.hello;
    await indexAllPending(app.pipit.backend.engine, () => false);
    const found = await bob.get('/search?q=from:alice');
    expectValidPage(found, 'search');
    expect(found.text).toContain(`id="post-${id}"`);
    expect((await openBrowser(app).get('/search?q=from:alice&f=relevance')).text).toContain(
      `id="post-${id}"`,
    );
    expect(textOf(await bob.get('/search?q=carol&f=people'))).toContain('@carol');
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    for (const query of ['from:', '%22open', '-only', hostile, 'x'.repeat(2000)]) {
      const page = await bob.get(`/search?q=${query}`);
      expect([query.slice(0, 20), page.status]).toEqual([query.slice(0, 20), 200]);
      expect(page.text).not.toContain('<script>alert');
    }
    expect(textOf(await bob.get('/search?q=from:'))).not.toContain('No public post');
    expect((await bob.get('/search?q=')).location).toBe('/explore');
    expect((await bob.get('/explore')).status).toBe(200);
  });

  test('followers and bookmarks are pages', async () => {
    await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.alice}/follow`);
    expect(textOf(await alice.get('/alice/followers'))).toContain('@bob');
    expect(textOf(await alice.get('/bob/following'))).toContain('@alice');
    expect((await alice.get('/nobody/followers')).status).toBe(404);
    const id = idOf(await write(alice, { text: 'Worth keeping' }));
    await send(bob, '/home', { on: 'yes' }, `/i/posts/${id}/bookmark`);
    const page = await bob.get('/i/bookmarks');
    expectValidPage(page, 'bookmarks');
    expect(page.text).toContain(`id="post-${id}"`);
  });
});

describe('messages', () => {
  const PAIR = [USERS.alice, USERS.bob].sort().join('-');

  test('two people write to each other; nobody else reads it', async () => {
    await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.alice}/follow`);
    await send(alice, '/home', { on: 'yes' }, `/i/users/${USERS.bob}/follow`);
    expect((await alice.get('/messages/to/bob')).location).toBe(`/messages/${PAIR}#write`);
    const sent = await send(alice, `/messages/${PAIR}`, { text: 'Hello <i>bob</i>' });
    expect(sent.location).toBe(`/messages/${PAIR}#write`);
    expect(textOf(await bob.get('/messages'))).toMatch(/Alice.*1 unread.*Hello &lt;i&gt;bob/);
    const page = await bob.get(`/messages/${PAIR}`);
    expectValidPage(page, 'conversation');
    expect(textOf(page)).toContain('Hello &lt;i&gt;bob');
    expect(textOf(await bob.get('/messages'))).not.toContain('unread');
    expect((await send(alice, `/messages/${PAIR}`, { text: '' })).status).toBe(400);
    const carol = openBrowser(app);
    await carol.signIn('carol', CAROL_PASSWORD);
    expect((await carol.get('/messages')).status).toBe(200);
    const peeked = await carol.get(`/messages/${PAIR}`);
    expect(peeked.text).not.toContain('Hello');
    for (const id of ['x', '1-2-3', '%2e%2e', '99999999999999999999-1'])
      expect((await carol.get(`/messages/${id}`)).status).toBeLessThan(500);
  });
});
