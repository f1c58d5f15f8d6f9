import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostId, StreamRuleId } from '../../src/core/ids.js';
import type { StreamRule } from '../../src/core/stream-rule.js';
import { RuleIndex } from '../../src/services/streams/matching/rule-index.js';
import { loadRulePosts } from '../../src/services/streams/matching/rule-post.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** What rules match beyond search (docs/api/streams.md#rules, docs/api/streams.md#matching). */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const at = '2022-10-07T20:00:00Z';

const WORLD = {
  users: [
    {
      id: '1',
      username: 'Alice',
      name: 'Alice Heron',
      description: 'Watches birds and café life',
      location: 'Oslo, Norway',
    },
    { id: '2', username: 'bob', name: 'Bob' },
    { id: '3', username: 'carol', name: 'Carol', protected: true },
    { id: '4', username: 'dan', name: 'Dan' },
  ],
  follows: [
    { from: 'bob', to: 'alice' },
    { from: 'dan', to: 'alice' },
    { from: 'alice', to: 'bob' },
    { from: 'carol', to: 'bob' },
  ],
  lists: [
    { id: '70', owner: 'bob', name: 'public', members: ['alice'] },
    { id: '71', owner: 'bob', name: 'private', private: true, members: ['alice'] },
  ],
  posts: [
    {
      id: '100',
      author: 'alice',
      text: 'The grey old heron waits at the CAFÉ https://birds.org/Pond/heron.html 東京都',
      source: 'Bird Bot',
      created_at: at,
    },
    { id: '101', author: 'bob', text: 'Look at this', quote_of: '100', created_at: at },
    { id: '102', author: 'dan', repost_of: '101', created_at: at },
    { id: '103', author: 'dan', text: 'Hello', in_reply_to: '100', created_at: at },
    { id: '104', author: 'carol', text: 'A secret heron', created_at: at },
  ],
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ world: WORLD, clock: () => NOW_MS });
});
afterAll(() => app.close());

const ruleOf = (value: string, id = 1n): StreamRule => ({
  id: id as StreamRuleId,
  appId: 1n as StreamRule['appId'],
  value,
  createdAtMs: 0,
});

/** Returns the ids of the posts that a rule matches. */
async function matchesOf(value: string): Promise<string[]> {
  const index = new RuleIndex();
  index.add(ruleOf(value));
  const ids = WORLD.posts.map(({ id }) => BigInt(id) as PostId);
  const posts = await loadRulePosts(app.pipit.backend.engine, ids, index.listIds());
  return posts.filter((post) => index.match(post).length > 0).map(({ id }) => String(id));
}

describe('operators of rules', () => {
  test.each([
    ['bio:birds', ['100']],
    ['bio:"birds and café"', ['100']],
    ['bio:cafe', []],
    ['bio:heron', []],
    ['bio_name:heron', ['100']],
    ['bio_location:oslo', ['100']],
    ['bio_location:"oslo norway" -nothing', ['100']],
    ['url_contains:birds.org/pond', ['100']],
    ['url_contains:nothing', []],
    ['source:"bird bot"', ['100']],
    ['source:bird', []],
    ['followers_count:2', ['100', '101']],
    ['followers_count:1..1', []],
    ['followers_count:0..1', ['102', '103']],
    ['min_followers:2', ['100', '101']],
    ['following_count:2', []],
    ['tweets_count:2', ['102', '103']],
    ['listed_count:1', ['100']],
    ['from_affiliate_of:alice', []],
    ['to_affiliate_of:alice OR heron', ['100', '101', '102']],
    ['"grey heron"~1', ['100', '101', '102']],
    ['"heron grey"~2', []],
    ['"heron grey"~3', ['100', '101', '102']],
    ['"grey heron waits"~1', ['100', '101', '102']],
    ['"the waits"~2', []],
    ['"the waits"~3', ['100', '101', '102']],
    ['heron sample:100', ['100', '101', '102']],
    ['東', ['100', '101', '102']],
    ['都', ['100', '101', '102']],
    ['京東', []],
  ])('%s', async (value, ids) => expect(await matchesOf(value)).toEqual(ids));
});

describe('names are those at the time of the post', () => {
  test.each([
    ['from:ALICE', ['100']],
    ['from:1', ['100']],
    ['to:alice', ['103']],
    ['retweets_of:bob', ['102']],
    ['retweets_of:2', ['102']],
    ['from:nobody', []],
    ['list:70', ['100']],
    ['list:71', []],
    ['heron -from:alice', ['101', '102']],
  ])('%s', async (value, ids) => expect(await matchesOf(value)).toEqual(ids));
});

describe('differences from search', () => {
  test('accents must match', async () => {
    expect(await matchesOf('cafe')).toEqual([]);
    expect(await matchesOf('café')).toEqual(['100', '101', '102']);
  });

  test('the words of a quoted post match, in reposts of the quote too; its other members do not', async () => {
    expect(await matchesOf('"look at this" heron')).toEqual(['101', '102']);
    expect(await matchesOf('look url:birds')).toEqual([]);
  });
});

test('posts of protected accounts match nothing, and their words not through quotes either', async () => {
  expect(await matchesOf('secret OR from:carol OR followers_count:0')).not.toContain('104');
});

test('rules of several apps with one value are all found, once each', async () => {
  const index = new RuleIndex();
  for (const id of [1n, 2n]) index.add(ruleOf('heron OR grey OR waits', id));
  index.add(ruleOf('nothing', 3n));
  const [post] = await loadRulePosts(app.pipit.backend.engine, [100n as PostId], []);
  expect(post && index.match(post).map(({ id }) => id)).toEqual([1n, 2n]);
});
