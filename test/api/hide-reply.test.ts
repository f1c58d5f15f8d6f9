import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostId } from '../../src/core/ids.js';
import { insertHiddenReply } from '../../src/stores/post-links.js';
import { startTestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { INVALID_REQUEST, missingTarget, refusal } from './support/errors.js';
import { openNetwork, postId, startNetwork, type Network, type World } from './support/network.js';

/** Hiding replies (docs/api/posts.md#hidden-replies, docs/api/posts.md#reply-settings). */

const NOT_PERMITTED = refusal('You are not permitted to hide this reply.');

const ROOT = postId(1);
const REPLY = postId(2);
const BELOW = postId(3);
const OWN = postId(4);
const QUOTE = postId(5);

const world: World = {
  posts: [
    { id: ROOT, author: 'alice', text: 'Root' },
    { id: REPLY, author: 'bob', text: 'Reply', in_reply_to: ROOT },
    { id: BELOW, author: 'carol', text: 'Reply to the reply', in_reply_to: REPLY },
    { id: OWN, author: 'alice', text: 'Own reply', in_reply_to: ROOT },
    { id: QUOTE, author: 'bob', text: 'Quote', quote_of: ROOT },
  ],
};

describe('hiding a reply', () => {
  test('returns the new state and is idempotent', async () => {
    const { as } = await startNetwork(world);
    for (const hidden of [true, true, false, false]) {
      const { status, body } = await as('alice').put(`/2/tweets/${REPLY}/hidden`, { hidden });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { hidden } });
    }
  });

  test('is allowed for every reply below a post of one’s own', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('alice').put(`/2/tweets/${BELOW}/hidden`, { hidden: true });
    expect(status).toBe(200);
  });

  test('keeps it readable by id for everyone', async () => {
    const { as, app } = await startNetwork(world);
    await as('alice').put(`/2/tweets/${REPLY}/hidden`, { hidden: true });
    for (const caller of [app, as('alice'), as('bob'), as('dave')]) {
      expect((await caller.get(`/2/tweets/${REPLY}`)).body.data.text).toBe('@alice Reply');
    }
  });

  test('keeps counts and allows further replies', async () => {
    const { as } = await startNetwork(world);
    await as('alice').put(`/2/tweets/${REPLY}/hidden`, { hidden: true });
    const { body } = await as('dave').get(`/2/tweets/${ROOT}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics.reply_count).toBe(2);
    const reply = { text: 'Still here', in_reply_to_tweet_id: REPLY };
    expect((await as('dave').post('/2/tweets', reply)).status).toBe(201);
  });

  test('returns 404 for an unknown or deleted post', async () => {
    const { as } = await startNetwork(world);
    await as('bob').delete(`/2/tweets/${REPLY}`);
    for (const id of ['404', REPLY]) {
      const { status, body } = await as('alice').put(`/2/tweets/${id}/hidden`, { hidden: true });
      expect(status).toBe(404);
      expect(body).toEqual(missingTarget('tweet', 'id', id));
    }
  });
});

describe('hiding', () => {
  let network: Network;
  beforeAll(async () => {
    network = await openNetwork(world);
  });
  afterAll(() => network.close());

  test.each([
    ['a reply in another user’s conversation', 'carol', REPLY],
    ['one’s own reply in another user’s conversation', 'bob', REPLY],
    ['a reply to one’s own reply in another user’s conversation', 'bob', BELOW],
    ['one’s own reply in one’s own conversation', 'alice', OWN],
    ['a post that is not a reply', 'alice', ROOT],
    ['a quote of one’s post', 'alice', QUOTE],
  ] as const)('returns 403 for %s', async (_, name, id) => {
    for (const hidden of [true, false]) {
      const { status, body } = await network.as(name).put(`/2/tweets/${id}/hidden`, { hidden });
      expect(status).toBe(403);
      expect(body).toEqual(NOT_PERMITTED);
    }
  });

  test.each([
    [{}, '$.hidden: is missing but it is required'],
    [{ hidden: 'true' }, '$.hidden: string found, boolean expected'],
    [{ hidden: null }, '$.hidden: null found, boolean expected'],
    [
      { hidden: true, foo: 1 },
      '$.foo: is not defined in the schema and the schema does not allow additional properties',
    ],
  ])('returns 400 for the body %j', async (sent, message) => {
    const { status, body } = await network.as('alice').put(`/2/tweets/${REPLY}/hidden`, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...INVALID_REQUEST, errors: [{ message }] });
  });

  test('returns 400 for a malformed id', async () => {
    const { status, body } = await network.as('alice').put('/2/tweets/abc/hidden', { hidden: true });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { parameters: { id: ['abc'] }, message: 'The `id` query parameter value [abc] is not valid' },
    ]);
  });

  test('returns 403 for app-only credentials', async () => {
    const { status, body } = await network.app.put(`/2/tweets/${REPLY}/hidden`, { hidden: true });
    expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
  });
});

test('at most 725 replies of a conversation can be hidden', async () => {
  await using app = await startTestApp();
  const [alice, bob] = [await app.as('alice'), await app.as('bob')];
  await app.pipit.backend.engine.tx('hide many', async (tx) => {
    const root = BigInt(POSTS.hello) as PostId;
    for (let n = 1n; n < 725n; n += 1n) await insertHiddenReply(tx, root, n as PostId);
  });
  const body = { text: 'More', in_reply_to_tweet_id: POSTS.hello };
  const another: string = (await app.post('/2/tweets', bob, body)).body.data.id;
  const hide = (id: string, hidden = true) => app.put(`/2/tweets/${id}/hidden`, alice, { hidden });
  expect((await hide(POSTS.reply)).status).toBe(200);
  const refused = await hide(another);
  expect([refused.status, refused.body]).toEqual([403, NOT_PERMITTED]);
  expect((await hide(POSTS.reply)).status).toBe(200);
  await hide(POSTS.reply, false);
  expect((await hide(another)).status).toBe(200);
});
