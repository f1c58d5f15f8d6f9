import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiPartialResponseError,
  ApiResponseError,
  TwitterApi,
  TwitterV2IncludesHelper,
  type TweetV2UserTimelineParams,
  type UsersV2Params,
} from 'twitter-api-v2';
import { LocalAgent } from './support/local-agent.js';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_KEYS,
  ALICE_OAUTH2,
  APP,
  BOB,
  BOB_KEYS,
  CAROL,
  COMMUNITY_ID,
  FREE_MEDIA_IDS,
  PICTURE_KEY,
  PLACE_ID,
  POSTS,
  READ_ONLY_OAUTH2,
  startWireServer,
  UNKNOWN_POST,
} from './support/wire-world.js';

/** The published client twitter-api-v2, unmodified except for an agent that routes to this machine. */

const ALL_OF_POSTS: Partial<TweetV2UserTimelineParams> = {
  expansions: [
    'attachments.media_keys',
    'attachments.poll_ids',
    'author_id',
    'entities.mentions.username',
    'geo.place_id',
    'in_reply_to_user_id',
    'referenced_tweets.id',
    'referenced_tweets.id.author_id',
  ],
  'tweet.fields': [
    'attachments',
    'author_id',
    'context_annotations',
    'conversation_id',
    'created_at',
    'entities',
    'geo',
    'id',
    'in_reply_to_user_id',
    'lang',
    'possibly_sensitive',
    'public_metrics',
    'referenced_tweets',
    'reply_settings',
    'source',
    'text',
    'withheld',
  ],
  'media.fields': ['alt_text', 'height', 'media_key', 'preview_image_url', 'type', 'url', 'width'],
  'poll.fields': ['duration_minutes', 'end_datetime', 'id', 'options', 'voting_status'],
  'place.fields': ['country', 'country_code', 'full_name', 'geo', 'id', 'name', 'place_type'],
  'user.fields': ['created_at', 'id', 'name', 'protected', 'public_metrics', 'username', 'verified'],
};

const ALL_OF_USERS: Partial<UsersV2Params> = {
  expansions: ['pinned_tweet_id'],
  'tweet.fields': ['author_id', 'created_at'],
  'user.fields': [
    'created_at',
    'description',
    'entities',
    'location',
    'pinned_tweet_id',
    'profile_image_url',
    'protected',
    'public_metrics',
    'url',
    'verified',
    'withheld',
  ],
};

const WIRE_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/;

let server: WireServer;

beforeAll(async () => {
  server = await startWireServer();
});

afterAll(() => server.close());

function settings() {
  return { httpAgent: new LocalAgent(server.port) };
}

function signed(keys: { accessToken: string; accessSecret: string }): TwitterApi {
  return new TwitterApi({ appKey: APP.apiKey, appSecret: APP.apiSecret, ...keys }, settings());
}

function bearing(token: string): TwitterApi {
  return new TwitterApi(token, settings());
}

async function failureOf(request: Promise<unknown>): Promise<ApiResponseError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).not.toBeInstanceOf(ApiPartialResponseError);
  if (!(error instanceof ApiResponseError)) throw new Error(`the client reports ${String(error)}`);
  return error;
}

describe('the client authenticates', () => {
  test('with OAuth 1.0a keys, signing its own URL', async () => {
    const me = await signed(ALICE_KEYS).v2.me({ 'user.fields': ['description', 'url', 'entities'] });
    expect(me.data).toMatchObject({ ...ALICE, name: 'Alice Ärmel', description: 'Reads #birds' });
  });

  test('with an OAuth 2.0 user token', async () => {
    expect((await bearing(ALICE_OAUTH2).v2.me()).data.username).toBe('alice');
  });

  test('with the app’s bearer token, which has no user', async () => {
    const app = bearing(APP.bearerToken);
    expect((await app.v2.singleTweet(POSTS.root)).data.id).toBe(POSTS.root);
    const error = await failureOf(app.v2.me());
    expect(error.code).toBe(403);
    expect(error.data.title).toBe('Unsupported Authentication');
  });

  test('with a signature over query parameters that require encoding', async () => {
    const { data } = await signed(ALICE_KEYS).v2.tweets([POSTS.root, POSTS.poll], ALL_OF_POSTS);
    expect(data.map((post) => post.id)).toEqual([POSTS.root, POSTS.poll]);
  });

  test('and a wrong secret gives 401, which the client reports as an authentication error', async () => {
    const error = await failureOf(signed({ ...ALICE_KEYS, accessSecret: 'not the secret' }).v2.me());
    expect(error.code).toBe(401);
    expect(error.isAuthError).toBe(true);
  });

  test('and an unknown bearer token gives 401', async () => {
    expect((await failureOf(bearing('no such token').v2.me())).code).toBe(401);
  });

  test('and a missing scope gives 403', async () => {
    const error = await failureOf(bearing(READ_ONLY_OAUTH2).v2.tweet('never stored'));
    expect(error.code).toBe(403);
  });
});

describe('the client reads posts', () => {
  test('by id with every expansion and field, which its helpers resolve', async () => {
    const answer = await bearing(APP.bearerToken).v2.singleTweet(POSTS.root, ALL_OF_POSTS);
    const includes = new TwitterV2IncludesHelper(answer);
    expect(answer.errors).toBeUndefined();
    expect(answer.data.text).toBe(
      'Salt &amp; pepper, 1 &lt; 2 #birds $PIP @bob 🐦 https://birds.example/one',
    );
    expect(answer.data.created_at).toMatch(WIRE_DATE);
    expect(answer.data.public_metrics).toMatchObject({ reply_count: 1, quote_count: 1, like_count: 1 });
    expect(answer.data.entities?.mentions).toMatchObject([{ username: 'bob', id: BOB.id }]);
    expect(includes.author(answer.data)?.username).toBe('alice');
    expect(includes.place(answer.data)).toMatchObject({ id: PLACE_ID, country_code: 'IS' });
    expect(includes.userById(BOB.id)?.name).toBe('Bob');
  });

  test('by ids, with polls, pictures, replies and quotes resolved by its helpers', async () => {
    const ids = [POSTS.reply, POSTS.quote, POSTS.poll, POSTS.pictures];
    const answer = await bearing(ALICE_OAUTH2).v2.tweets(ids, ALL_OF_POSTS);
    const includes = new TwitterV2IncludesHelper(answer);
    const [reply, quote, poll, pictures] = answer.data;
    if (!reply || !quote || !poll || !pictures) throw new Error('posts are missing');
    expect(includes.repliedTo(reply)?.id).toBe(POSTS.root);
    expect(includes.repliedToAuthor(reply)?.username).toBe('alice');
    expect(includes.quote(quote)?.id).toBe(POSTS.root);
    expect(includes.poll(poll)?.options.map(({ label, votes }) => [label, votes])).toEqual([
      ['Gull', 3],
      ['Tern', 4],
    ]);
    expect(includes.medias(pictures)).toMatchObject([
      { media_key: PICTURE_KEY, url: 'https://pictures.example/1.jpg' },
    ]);
  });

  test('with missing and protected ones as partial errors', async () => {
    const answer = await bearing(APP.bearerToken).v2.tweets([POSTS.root, UNKNOWN_POST, POSTS.guarded]);
    expect(answer.data.map((post) => post.id)).toEqual([POSTS.root]);
    expect(answer.errors?.map((error) => [error.resource_id, error.title])).toEqual([
      [UNKNOWN_POST, 'Not Found Error'],
      [POSTS.guarded, 'Authorization Error'],
    ]);
  });

  test('and reports an invalid parameter from the error', async () => {
    const error = await failureOf(bearing(APP.bearerToken).v2.singleTweet('not-a-number'));
    expect(error.code).toBe(400);
    expect(error.errors).toHaveLength(1);
    expect(error.data.title).toBe('Invalid Request');
  });
});

describe('the client reads users', () => {
  test('by id and by username, with the pinned post', async () => {
    const app = bearing(APP.bearerToken);
    const byId = await app.v2.user(BOB.id, ALL_OF_USERS);
    const byUsername = await app.v2.userByUsername('BoB', ALL_OF_USERS);
    expect(byUsername).toEqual(byId);
    expect(byId.data).toMatchObject({ ...BOB, location: 'By the sea', pinned_tweet_id: POSTS.reply });
    expect(byId.data.public_metrics?.followers_count).toBe(1);
    expect(new TwitterV2IncludesHelper(byId).pinnedTweet(byId.data)?.author_id).toBe(BOB.id);
  });

  test('by ids and by usernames, in the requested order', async () => {
    const app = signed(ALICE_KEYS);
    const byIds = await app.v2.users([CAROL.id, ALICE.id], ALL_OF_USERS);
    const byUsernames = await app.v2.usersByUsernames(['carol', 'alice', 'nobody_here'], ALL_OF_USERS);
    expect(byIds.data.map((user) => user.username)).toEqual(['carol', 'alice']);
    expect(byUsernames.data).toEqual(byIds.data);
    expect(byUsernames.errors?.map((error) => error.value)).toEqual(['nobody_here']);
  });
});

describe('the client posts', () => {
  test('in communities, which it reads too', async () => {
    const alice = signed(ALICE_KEYS);
    const { data } = await alice.v2.community(COMMUNITY_ID);
    expect(data).toEqual({ id: COMMUNITY_ID, name: 'Birds' });
    expect((await alice.v2.searchCommunities('birds')).data.map((community) => community.id)).toEqual([
      COMMUNITY_ID,
    ]);
    const post = await alice.v2.tweet({ text: 'A tern in the harbour', community_id: COMMUNITY_ID });
    const read = await alice.v2.singleTweet(post.data.id, { 'tweet.fields': ['community_id'] });
    expect(read.data.community_id).toBe(COMMUNITY_ID);
  });

  test('long posts, whose whole text is in `note_tweet`', async () => {
    const text = `${'pond '.repeat(60)}#heron`;
    const { id } = (await signed(ALICE_KEYS).v2.tweet(text)).data;
    const { data } = await bearing(APP.bearerToken).v2.singleTweet(id, { 'tweet.fields': ['note_tweet'] });
    expect(data.text).toMatch(/^pond .*…$/);
    expect(data.note_tweet).toEqual({
      text,
      entities: { hashtags: [{ start: 300, end: 306, tag: 'heron' }] },
    });
  });

  test('text, and reads the post back', async () => {
    const alice = signed(ALICE_KEYS);
    const { data } = await alice.v2.tweet('Fish & <chips> from OAuth 1.0a');
    expect(data.text).toBe('Fish &amp; &lt;chips&gt; from OAuth 1.0a');
    const { data: read } = await alice.v2.singleTweet(data.id, { 'tweet.fields': ['author_id', 'source'] });
    expect(read).toMatchObject({ text: data.text, author_id: ALICE.id, source: 'Wire client' });
  });

  test('a reply and a quote', async () => {
    const alice = bearing(ALICE_OAUTH2);
    const { data: reply } = await alice.v2.reply('Indeed it is', POSTS.quote);
    const { data: quote } = await alice.v2.quote('Quoting bob', POSTS.reply);
    expect(reply.text).toBe('@bob Indeed it is');
    const { data } = await alice.v2.tweets([reply.id, quote.id], { 'tweet.fields': ['referenced_tweets'] });
    expect(data.map((post) => post.referenced_tweets)).toEqual([
      [{ type: 'replied_to', id: POSTS.quote }],
      [{ type: 'quoted', id: POSTS.reply }],
    ]);
  });

  test('a poll', async () => {
    const alice = signed(ALICE_KEYS);
    const poll = { options: ['Tea', 'Coffee', 'Water'], duration_minutes: 60 };
    const { data } = await alice.v2.tweet('What to drink?', { poll });
    const read = await alice.v2.singleTweet(data.id, ALL_OF_POSTS);
    const stored = new TwitterV2IncludesHelper(read).poll(read.data);
    expect(stored?.options.map((option) => option.label)).toEqual(poll.options);
    expect(stored).toMatchObject({ duration_minutes: 60, voting_status: 'open' });
    expect(stored?.end_datetime).toMatch(WIRE_DATE);
  });

  test('its own media, once, and no media of others', async () => {
    const media = { media_ids: [FREE_MEDIA_IDS[0], FREE_MEDIA_IDS[1]] } satisfies {
      media_ids: [string, string];
    };
    expect((await failureOf(signed(BOB_KEYS).v2.tweet('Not mine', { media }))).code).toBe(400);
    const alice = signed(ALICE_KEYS);
    const { data } = await alice.v2.tweet('Two pictures', { media });
    const read = await alice.v2.singleTweet(data.id, ALL_OF_POSTS);
    const keys = new TwitterV2IncludesHelper(read).medias(read.data).map((item) => item.media_key);
    expect(keys).toEqual([`3_${FREE_MEDIA_IDS[0]}`, `3_${FREE_MEDIA_IDS[1]}`]);
    expect((await failureOf(alice.v2.tweet('Again', { media }))).code).toBe(400);
  });

  test('a thread, in which each post replies to the previous one', async () => {
    const alice = signed(ALICE_KEYS);
    const thread = await alice.v2.tweetThread(['One of three', { text: 'Two of three' }, 'Three of three']);
    const ids = thread.map((post) => post.data.id);
    const { data } = await alice.v2.tweets(ids, { 'tweet.fields': ['conversation_id', 'referenced_tweets'] });
    expect(data.map((post) => post.conversation_id)).toEqual(ids.map(() => ids[0]));
    expect(data.map((post) => post.referenced_tweets?.[0]?.id)).toEqual([undefined, ids[0], ids[1]]);
  });

  test('and deletes its own posts, not those of others', async () => {
    const alice = signed(ALICE_KEYS);
    const { data } = await alice.v2.tweet('Soon gone');
    expect((await alice.v2.deleteTweet(data.id)).data).toEqual({ deleted: true });
    const gone = await alice.v2.singleTweet(data.id);
    expect(gone.data).toBeUndefined();
    expect(gone.errors).toMatchObject([{ resource_id: data.id, title: 'Not Found Error' }]);
    expect((await failureOf(alice.v2.deleteTweet(POSTS.quote))).code).toBe(403);
  });

  test('and receives the reason why a duplicate is refused', async () => {
    const alice = bearing(ALICE_OAUTH2);
    await alice.v2.tweet('Said once');
    const error = await failureOf(alice.v2.tweet('Said once'));
    expect(error.code).toBe(403);
    expect(error.data.detail).toMatch(/duplicate content/);
  });

  test('and hides and unhides replies to its own posts only', async () => {
    const alice = signed(ALICE_KEYS);
    expect((await alice.v2.hideReply(POSTS.reply, true)).data).toEqual({ hidden: true });
    expect((await alice.v2.hideReply(POSTS.reply, false)).data).toEqual({ hidden: false });
    expect((await failureOf(signed(BOB_KEYS).v2.hideReply(POSTS.reply, true))).code).toBe(403);
  });
});

describe('rate limits', () => {
  test('are parsed from responses and count down', async () => {
    const alice = bearing(READ_ONLY_OAUTH2);
    const read = () => alice.v2.get<unknown>(`tweets/${POSTS.root}`, undefined, { fullResponse: true });
    const first = (await read()).rateLimit;
    const second = (await read()).rateLimit;
    expect(first).toMatchObject({ limit: 900 });
    expect(second?.remaining).toBe((first?.remaining ?? 0) - 1);
    expect((first?.reset ?? 0) * 1000).toBeGreaterThan(Date.now());
  });

  test('per day are parsed too', async () => {
    const unliked = await signed(BOB_KEYS).v2.delete<unknown>(
      `users/${BOB.id}/likes/${POSTS.root}`,
      undefined,
      { fullResponse: true },
    );
    expect(unliked.rateLimit).toMatchObject({ limit: 50, userDay: { limit: 1000 } });
    expect((unliked.rateLimit?.userDay?.reset ?? 0) * 1000).toBeGreaterThan(Date.now() + 80_000_000);
  });

  test('are parsed from errors, and an exhausted one gives 429 until its reset', async () => {
    const bob = signed(BOB_KEYS);
    const hide = () => failureOf(bob.v2.hideReply(POSTS.reply, true));
    let error = await hide();
    expect(error.rateLimit).toMatchObject({ limit: 50 });
    for (let left = error.rateLimit?.remaining ?? 0; left >= 0; left -= 1) error = await hide();
    expect(error.code).toBe(429);
    expect(error.rateLimitError).toBe(true);
    expect(error.rateLimit?.remaining).toBe(0);
    expect((error.rateLimit?.reset ?? 0) * 1000).toBeGreaterThan(Date.now());
  });
});
