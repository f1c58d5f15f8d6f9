import { afterAll, beforeAll, expect, test } from 'vitest';
import { auth, Client } from 'twitter-api-sdk';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_OAUTH2,
  APP,
  BOB,
  PICTURE_KEY,
  POSTS,
  startWireServer,
  UNKNOWN_POST,
} from './support/wire-world.js';

/** The original platform’s own TypeScript SDK of 2022, unmodified, with its option `base_url`. */

let server: WireServer;
let app: Client;
let alice: Client;

beforeAll(async () => {
  server = await startWireServer();
  const options = { base_url: server.url };
  app = new Client(APP.bearerToken, options);
  const user = new auth.OAuth2User({
    client_id: APP.clientId,
    callback: 'https://client.example/callback',
    scopes: ['tweet.read', 'tweet.write', 'tweet.moderate.write', 'users.read'],
    token: { access_token: ALICE_OAUTH2, expires_at: Date.now() + 7_200_000 },
  });
  alice = new Client(user, options);
});

afterAll(() => server.close());

test('reads posts with fields, expansions and partial errors', async () => {
  const answer = await app.tweets.findTweetsById({
    ids: [POSTS.root, POSTS.pictures, UNKNOWN_POST],
    expansions: ['author_id', 'attachments.media_keys', 'geo.place_id'],
    'tweet.fields': ['created_at', 'public_metrics', 'attachments'],
    'media.fields': ['url', 'alt_text'],
    'user.fields': ['public_metrics'],
  });
  expect(answer.data?.map((post) => post.id)).toEqual([POSTS.root, POSTS.pictures]);
  expect(answer.includes?.users?.map((user) => user.username)).toEqual(['alice']);
  expect(answer.includes?.media).toMatchObject([{ media_key: PICTURE_KEY, alt_text: 'A bird' }]);
  expect(answer.errors).toMatchObject([{ title: 'Not Found Error', resource_id: UNKNOWN_POST }]);
});

test('reads users by id, by username and as itself', async () => {
  const fields = { 'user.fields': ['created_at', 'description'] } as const;
  const byId = await app.users.findUserById(BOB.id, { 'user.fields': [...fields['user.fields']] });
  const byUsername = await app.users.findUserByUsername('bob', {
    'user.fields': ['created_at', 'description'],
  });
  expect(byUsername).toEqual(byId);
  expect(byId.data).toMatchObject(BOB);
  expect((await alice.users.findMyUser()).data).toMatchObject(ALICE);
});

test('posts, replies, polls, hides and deletes', async () => {
  const post = await alice.tweets.createTweet({ text: 'From the SDK' });
  const id = String(post.data?.id);
  const reply = await alice.tweets.createTweet({
    text: 'And a reply',
    reply: { in_reply_to_tweet_id: id },
    poll: { options: ['Yes', 'No'], duration_minutes: 5 },
  });
  const read = await app.tweets.findTweetById(String(reply.data?.id), {
    expansions: ['attachments.poll_ids', 'referenced_tweets.id'],
  });
  expect(read.data?.text).toBe('And a reply');
  expect(read.includes?.polls?.[0]?.options.map((option) => option.label)).toEqual(['Yes', 'No']);
  expect(read.includes?.tweets?.map((tweet) => tweet.id)).toEqual([id]);
  expect(await alice.tweets.hideReplyById(POSTS.reply, { hidden: true })).toEqual({ data: { hidden: true } });
  expect(await alice.tweets.deleteTweetById(id)).toEqual({ data: { deleted: true } });
});

test('throws the problem of a refused request', async () => {
  await expect(app.tweets.createTweet({ text: 'No user' })).rejects.toMatchObject({
    status: 403,
    error: { title: 'Unsupported Authentication' },
  });
  await expect(app.tweets.findTweetById('none')).rejects.toMatchObject({ status: 400 });
});
