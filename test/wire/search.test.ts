import { expect, onTestFinished, test } from 'vitest';
import { TwitterApi } from 'twitter-api-v2';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp } from '../support/app.js';
import { standardWorld } from '../support/world.js';
import { LocalAgent } from './support/local-agent.js';

/** Search with unmodified twitter-api-v2 as twarc2 does it: the whole archive, paged to the end. */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const POSTS = 730;
const START = '2006-03-21T00:00:00Z';

function idAt(n: number): string {
  return String(firstIdAt(NOW_MS - 86_400_000 * n));
}

test('search/all paged to the end returns each matching post once, while posts are added', async () => {
  const posts = Array.from({ length: POSTS }, (_, n) => ({
    id: idAt(n + 1),
    author: n % 2 === 0 ? 'alice' : 'bob',
    text: n % 3 === 0 ? `a dog ${n}` : `the cat ${n}`,
  }));
  let nowMs = NOW_MS;
  const app = await startTestApp({
    world: { ...standardWorld(), posts, likes: [], bookmarks: [] },
    clock: () => nowMs,
  });
  onTestFinished(app.close);
  const url = await app.listen();
  const client = new TwitterApi(app.bearer, { httpAgent: new LocalAgent(Number(new URL(url).port)) });
  const token = await app.as('carol');

  const found: string[] = [];
  const pages = await client.v2.searchAll('cat -dog', { start_time: START, max_results: 50 });
  for (;;) {
    nowMs += 60_000;
    await app.post('/2/tweets', token, { text: `another cat ${nowMs}` });
    if (pages.done) break;
    await pages.fetchNext(50);
  }
  found.push(...pages.tweets.map(({ id }) => id));

  const expected = posts.filter(({ text }) => text.includes('cat')).map(({ id }) => id);
  expect(found).toEqual(expected);
  expect(new Set(found).size).toBe(found.length);
});

test('recent search is read by its paginator, with users included', async () => {
  const posts = Array.from({ length: 25 }, (_, n) => ({
    id: String(firstIdAt(NOW_MS - 60_000 * (n + 1))),
    author: 'bob',
    text: `cat ${n}`,
  }));
  const app = await startTestApp({
    world: { ...standardWorld(), posts, likes: [], bookmarks: [] },
    clock: () => NOW_MS,
  });
  onTestFinished(app.close);
  const url = await app.listen();
  const client = new TwitterApi(app.bearer, { httpAgent: new LocalAgent(Number(new URL(url).port)) });
  const pages = await client.v2.search('from:bob cat', { expansions: ['author_id'] });
  expect(pages.tweets).toHaveLength(10);
  expect(pages.includes.users.map(({ username }) => username)).toEqual(['bob']);
  await pages.fetchLast();
  expect(pages.tweets.map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
});
