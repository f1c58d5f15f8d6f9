import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { ID, openNetwork, postId, type Caller, type Network } from './support/network.js';
import { callsOf, networkOf, readers, takes } from './support/walk-world.js';

/** Requests in the newer names are answered in them (docs/api/objects.md#vocabularies). */

const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/(edit_history|pinned|most_recent)_tweet_id/g, '$1_post_id'],
  [/referenced_tweets/g, 'referenced_posts'],
  [/note_tweet/g, 'note_post'],
  [/\btweet\.fields/g, 'post.fields'],
  [/"tweets":/g, '"posts":'],
];

/** Writes a URL or an answer of the walk in the newer names; nothing else in them has the older ones. */
function inNewer(text: string): string {
  return RENAMED.reduce((newer, [older, name]) => newer.replaceAll(older, name), text);
}

async function textAt(caller: Caller, url: string): Promise<string> {
  const { status, body } = await caller.get(url);
  expect(status, `${url} ${JSON.stringify(body)}`).toBe(200);
  return JSON.stringify(body);
}

const speaksBoth = ({ params = {} }: AnyEndpoint) => Object.values(params).some(({ newer }) => newer);

describe('every endpoint that takes names of both vocabularies', () => {
  let network: Network;
  beforeAll(async () => {
    network = await networkOf('protected');
  });
  afterAll(() => network.close());

  test('answers in the names of the request, and otherwise the same', async () => {
    const renaming = new Set<string>();
    const parameters = new Set<string>();
    const callers: [Caller, string, 'app' | 'oauth2'][] = [
      [network.research, ID.bob, 'app'],
      // Alice reads everything, and the others block or mute somebody.
      ...(['alice', 'erin', 'frank'] as const).map((name): [Caller, string, 'oauth2'] => [
        network.as(name),
        ID[name],
        'oauth2',
      ]),
    ];
    for (const [caller, ownId, context] of callers) {
      for (const endpoint of readers.filter((each) => speaksBoth(each) && takes(each, context))) {
        for (const url of callsOf(endpoint, ownId)) {
          const older = await textAt(caller, url);
          const newer = await textAt(caller, inNewer(url));
          expect(newer, url).toBe(inNewer(older));
          expect(await textAt(caller, url), url).toBe(older);
          if (newer !== older) renaming.add(endpoint.operationId);
          for (const [, name = ''] of newer.matchAll(/"parameter":"([^"]+)"/g)) parameters.add(name);
        }
      }
    }
    const both = readers.filter(speaksBoth).map(({ operationId }) => operationId);
    // Nobody here has a hidden reply or an article, and nobody who is suggested has pinned a post; other lists show that they rename.
    expect(both.filter((operation) => !renaming.has(operation))).toEqual([
      'getHiddenReplies',
      'getUserArticles',
      'getSuggestions',
    ]);
    expect([...parameters]).toEqual(expect.arrayContaining(['pinned_post_id', 'referenced_posts.id', 'id']));
  });

  test('is each one with tweet.fields but streams, and none of version 1.1', () => {
    const speaking = endpoints.filter(speaksBoth);
    const withFields = endpoints.filter(({ params = {} }) => 'tweet.fields' in params);
    const inOlder = withFields.filter((each) => !speaksBoth(each) && !each.streams);
    // A link has the fields of a stream.
    expect(inOlder.map(({ operationId }) => operationId)).toEqual(['createWebhooksStreamLink']);
    expect(speaking.filter(({ errorStyle, streams }) => errorStyle === 'v1' || streams)).toEqual([]);
  });

  test.each(['post.fields=lang', 'expansions=referenced_posts.id'])('streams refuse %s', async (query) => {
    const { status } = await network.app.get(`/2/tweets/search/stream?${query}`);
    expect(status).toBe(400);
  });
});

describe('a request uses the newer names', () => {
  let network: Network;
  const [ONE, TWO] = [postId(1), postId(2)];
  beforeAll(async () => {
    network = await startWithPosts();
  });
  afterAll(() => network.close());

  const memberNames = async (url: string) =>
    Object.keys((await network.app.get(url)).body.data as object).filter((name) => /tweet|post/.test(name));

  test.each([
    'post.fields=lang',
    'post_fields=lang',
    'post%2Efields=lang',
    'expansions=referenced_posts.id',
    'expansions=referenced_posts',
    'expansions=author_id,edit_history_post_ids',
    'tweet.fields=lang,note_post',
    'user.fields=pinned_post_id',
    'tweet.fields=lang&expansions=referenced_posts.id',
    'post.fields=lang&expansions=edit_history_tweet_ids',
    'post.fields=note_tweet',
  ])('by one name: %s', async (query) => {
    expect(await memberNames(`/2/tweets/${TWO}?${query}`)).toContain('edit_history_post_ids');
    expect(await memberNames(`/2/tweets/${TWO}?${query}`)).not.toContain('edit_history_tweet_ids');
  });

  test.each(['', 'tweet.fields=lang', 'tweet_fields=lang', 'expansions=author_id', 'user.fields=name'])(
    'by none of these: %s',
    async (query) => {
      expect(await memberNames(`/2/tweets/${TWO}?${query}`)).toEqual(['edit_history_tweet_ids']);
    },
  );

  test('to name what it includes', async () => {
    const { body } = await network.app.get(`/2/tweets/${TWO}?expansions=referenced_posts`);
    expect(body.data.referenced_posts).toEqual([{ type: 'quoted', id: ONE }]);
    expect(Object.keys(body.includes)).toEqual(['posts']);
    expect(body.includes.posts).toMatchObject([{ id: ONE, edit_history_post_ids: [ONE] }]);
  });

  test('but names within texts and values stay as they are', async () => {
    const { body } = await network.app.get(
      `/2/tweets?ids=${ONE},${TWO}&post.fields=public_metrics,referenced_posts`,
    );
    expect(body.data[0].text).toBe('{"referenced_tweets":[],"tweets":"edit_history_tweet_ids"}');
    expect(body.data[1].referenced_posts).toEqual([{ type: 'quoted', id: ONE }]);
    expect(body.data[1].public_metrics).toHaveProperty('retweet_count');
  });

  test('and is answered with the counts of now', async () => {
    const likes = async (fields: string) => {
      const { body } = await network.app.get(`/2/tweets/${ONE}?${fields}=public_metrics`);
      return body.data.public_metrics.like_count as number;
    };
    const liking = async (name: 'bob' | 'carol') =>
      network.as(name).post(`/2/users/${ID[name]}/likes`, { tweet_id: ONE });
    expect([await likes('post.fields'), await likes('tweet.fields')]).toEqual([0, 0]);
    await liking('bob');
    expect([await likes('post.fields'), await likes('tweet.fields')]).toEqual([1, 1]);
    await liking('carol');
    expect([await likes('tweet.fields'), await likes('post.fields')]).toEqual([2, 2]);
  });
});

describe('messages about the newer names', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startWithPosts();
  });
  afterAll(() => network.close());

  test.each([
    ['post.fields=foo', /^The `post\.fields` .*\[foo\] is not one of \[.*,note_post,.*referenced_posts,/],
    ['post_fields=', /^The `post\.fields` query parameter can not be empty$/],
    ['post.fields=lang&post_fields=lang', /^Duplicate .*: the `post\.fields` query parameter$/],
    ['tweet.fields=lang&post.fields=lang', /^Duplicate .*: the `post\.fields` query parameter$/],
    [
      'expansions=referenced_posts,foo',
      /^The `expansions` .*\[foo\] is not one of \[.*,referenced_posts\.id,/,
    ],
    ['tweet.fields=foo', /^The `tweet\.fields` .*\[foo\] is not one of \[.*,note_tweet,.*referenced_tweets,/],
  ])('use them: %s', async (query, message) => {
    const { status, body } = await network.app.get(`/2/tweets/${postId(1)}?${query}`);
    expect([status, body.errors.length]).toEqual([400, 1]);
    expect(body.errors[0].message).toMatch(message);
    expect(body.errors[0].message).not.toMatch(
      query === 'tweet.fields=foo' ? /_post/ : /note_tweet|referenced_tweets/,
    );
  });
});

function startWithPosts(): Promise<Network> {
  const text = '{"referenced_tweets":[],"tweets":"edit_history_tweet_ids"}';
  return openNetwork({
    posts: [
      { id: postId(1), author: 'alice', text },
      { id: postId(2), author: 'bob', text: 'Indeed', quote_of: postId(1) },
    ],
  });
}
