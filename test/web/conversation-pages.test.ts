import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { HOSTILE, PAGE_POSTS as P, publicWorld } from './support/public-world.js';

/** Pages of conversations: threads of one author, versions, hidden replies, quotes, who may reply. */

let app: TestApp;
let stranger: Browser;
let alice: string;

const idOf = (index: number): string => String(1_610_000_000_000_000_000n + BigInt(index) * 1_000_000n);

beforeAll(async () => {
  const world = publicWorld();
  const thread = Array.from({ length: 8 }, (_, index) => ({
    id: idOf(index),
    author: 'alice',
    text: `Part ${index + 1} of the story`,
    ...(index > 0 && { in_reply_to: idOf(index - 1) }),
  }));
  const aside = { id: idOf(100), author: 'bob', text: 'An aside', in_reply_to: idOf(2) };
  app = await startTestApp({ world: { ...world, posts: [...(world['posts'] ?? []), ...thread, aside] } });
  stranger = openBrowser(app);
  alice = await app.as('alice');
});
afterAll(() => app.close());

const post = async (body: object): Promise<string> => {
  const answer = await app.post('/2/tweets', alice, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
};

test('a long thread of one author shows its places, with its middle folded', async () => {
  const page = await stranger.get(`/alice/status/${idOf(0)}`);
  expectValidPage(page, 'thread', page.headers['cache-control']);
  const text = textOf(page);
  expect(text).toContain('1 of 8');
  expect(text).toMatch(/2 of 8 .*Part 2 .*3 of 8 .*Part 3 .*more posts of this thread .*4 of 8 .*8 of 8/);
  expect(page.text.match(/<details class="folded">/g)).toHaveLength(1);
  // In the middle of the thread the places are the same.
  const middle = textOf(await stranger.get(`/alice/status/${idOf(4)}`));
  expect(middle).toContain('5 of 8');
  expect(middle).toContain('8 of 8');
  expect(middle).not.toContain('1 of 4');
});

test('a post in the thread that cannot be seen is shown as a gap, and ends the counting', async () => {
  await app.delete(`/2/tweets/${idOf(6)}`, alice);
  const text = textOf(await stranger.get(`/alice/status/${idOf(7)}`));
  expect(text).toContain('This post is not available.');
  expect(text).not.toContain('8 of 8');
});

test('the versions of a post, newest first, with what each changed', async () => {
  const first = await post({ text: `The quick fox & ${HOSTILE}` });
  const second = await post({
    text: `The slow fox & ${HOSTILE}`,
    edit_options: { previous_post_id: first },
  });
  expect((await stranger.get(`/alice/status/${second}`)).text).toContain(
    `href="/alice/status/${second}/history">edited`,
  );
  const page = await stranger.get(`/alice/status/${second}/history`);
  expectValidPage(page, 'history');
  expect(page.text).toMatch(/<ins>slow<\/ins>/);
  expect(page.text).toMatch(/<del dir="auto">quick<\/del>/);
  const text = textOf(page);
  expect(text.indexOf('Version 2')).toBeLessThan(text.indexOf('First version'));
  // A post without edits has one version, one that may not be seen has no such page.
  expect(textOf(await stranger.get(`/alice/status/${P.top}/history`))).toContain('First version');
  expect((await stranger.get('/dave/status/1500000000000000003/history')).status).toBe(403);
});

test('hidden replies have a page, of which each shows what its reader may see', async () => {
  const page = await stranger.get(`/alice/status/${P.top}`);
  expect(page.text).toContain(`href="/alice/status/${P.top}/hidden"`);
  const hidden = await stranger.get(`/alice/status/${P.top}/hidden`);
  expectValidPage(hidden, 'hidden');
  expect(textOf(hidden)).toContain('Hidden from all');
  const listed = await app.get(`/_pipit/posts/${P.top}/hidden_replies`, alice);
  // Alice blocks mallory, whose post is public all the same.
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([P.hidden]);
  expect(textOf(await stranger.get(`/alice/status/${P.photos}/hidden`))).toContain('no hidden replies');
});

test('quotes have a page, and the number of quotes leads there', async () => {
  const page = await stranger.get(`/alice/status/${P.photos}`);
  expect(page.text).toContain(`href="/alice/status/${P.photos}/quotes"`);
  const quotes = await stranger.get(`/alice/status/${P.photos}/quotes`);
  expectValidPage(quotes, 'quotes');
  expect(textOf(quotes)).toContain('See this');
  expect((await stranger.get(`/x/status/${P.photos}/quotes`)).location).toBe(
    `/alice/status/${P.photos}/quotes`,
  );
});

test('the people who like and reposted a post have pages, without those whom the reader may not see', async () => {
  const bob = await app.as('bob');
  for (const action of ['likes', 'retweets'])
    await app.post(`/2/users/${USERS.bob}/${action}`, bob, { tweet_id: P.top });
  const page = await stranger.get(`/alice/status/${P.top}`);
  for (const list of ['likes', 'retweets']) {
    const path = `/alice/status/${P.top}/${list}`;
    expect(page.text).toContain(`href="${path}"`);
    const people = await stranger.get(path);
    expectValidPage(people, path);
    expect(textOf(people)).toContain('@bob');
    expect((await stranger.get(`/x/status/${P.top}/${list}`)).location).toBe(path);
    const none = await stranger.get(`/alice/status/${P.photos}/${list}`);
    expect(textOf(none)).toContain('Nobody you can see');
  }
  await suspendAccount(app.pipit.backend, BigInt(USERS.bob) as UserId, true);
  expect(textOf(await stranger.get(`/alice/status/${P.top}/likes`))).not.toContain('@bob');
  await suspendAccount(app.pipit.backend, BigInt(USERS.bob) as UserId, false);
});

test('who may reply is said, and descriptions of pictures are shown on demand', async () => {
  const id = await post({ text: 'For those named: @bob', reply_settings: 'mentionedUsers' });
  expect(textOf(await stranger.get(`/alice/status/${id}`))).toMatch(/People\s+@alice\s+mentions can reply/);
  expect(textOf(await stranger.get(`/alice/status/${P.top}`))).not.toContain('can reply');
  const { text } = await stranger.get(`/alice/status/${P.photos}`);
  expect(text.match(/<details class="alt">/g)).toHaveLength(4);
  expect(text).toContain('Photo 1 &lt;of&gt; &quot;four&quot;</p>');
});
