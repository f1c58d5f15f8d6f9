import { ApiError, Client, OAuth1 } from '@xdevplatform/xdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALICE,
  ALICE_OAUTH2,
  APP,
  BOB,
  BOB_KEYS,
  POSTS,
  startWireServer,
  UNKNOWN_POST,
  type WireServer,
} from './support/wire-world.js';

/**
 * The original platform’s SDK of 2025, unmodified, with its option `baseUrl`. It sends `post.fields` and
 * `referenced_posts` where the API of 2022 has tweet; responses keep the names of 2022.
 */

let server: WireServer;
let app: Client;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await startWireServer();
  const baseUrl = server.url;
  app = new Client({ baseUrl, bearerToken: APP.bearerToken });
  alice = new Client({ baseUrl, accessToken: ALICE_OAUTH2 });
  const oauth1 = new OAuth1({
    apiKey: APP.apiKey,
    apiSecret: APP.apiSecret,
    callback: 'oob',
    accessToken: BOB_KEYS.accessToken,
    accessTokenSecret: BOB_KEYS.accessSecret,
  });
  bob = new Client({ baseUrl, oauth1 });
});

afterAll(() => server.close());

test('reads posts with expansions and partial errors', async () => {
  const answer = await app.posts.getByIds([POSTS.poll, UNKNOWN_POST], {
    expansions: ['author_id', 'attachments.poll_ids'],
    userFields: ['created_at', 'verified'],
  });
  expect(answer.data?.map((post) => post.id)).toEqual([POSTS.poll]);
  expect(answer.includes?.users).toMatchObject([{ id: ALICE.id, username: 'alice', verified: false }]);
  expect(answer.includes?.polls).toHaveLength(1);
  expect(answer.errors).toMatchObject([{ title: 'Not Found Error', resourceId: UNKNOWN_POST }]);
});

test('requests fields and expansions by their names of 2025', async () => {
  const answer = await app.posts.getById(POSTS.poll, {
    postFields: ['conversation_id'],
    expansions: ['edit_history_post_ids', 'author_id'],
  });
  expect(answer.data).toMatchObject({ id: POSTS.poll, conversationId: POSTS.poll });
});

test('reads users by id, by username and, with either user credential, as itself', async () => {
  expect((await app.users.getById(BOB.id)).data).toMatchObject(BOB);
  expect((await app.users.getByUsername('bob')).data).toMatchObject(BOB);
  expect((await alice.users.getMe({ userFields: ['created_at'] })).data).toMatchObject(ALICE);
  expect((await bob.users.getMe()).data).toMatchObject(BOB);
});

test('posts, replies and deletes with either user credential', async () => {
  const post = await alice.posts.create({ text: 'From the newer SDK' });
  const id = String(post.data?.id);
  const reply = await bob.posts.create({ text: 'Signed this time', reply: { inReplyToTweetId: id } });
  const read = await app.posts.getById(String(reply.data?.id));
  expect(read.data?.text).toBe('@alice Signed this time');
  expect(await alice.posts.delete(id)).toEqual({ data: { deleted: true } });
});

test('throws the problem of a refused request', async () => {
  const refused = app.posts.getById('none');
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({ status: 400, data: { title: 'Invalid Request' } });
});
