import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp, type McpClient } from '../support/mcp-client.js';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_OAUTH2,
  APP,
  BOB,
  BOB_KEYS,
  CAROL,
  POSTS,
  READ_ONLY_OAUTH2,
  startWireServer,
  UNKNOWN_POST,
} from './support/wire-world.js';

/** The published SDK of the Model Context Protocol as a client of `/mcp`. */

let server: WireServer;
let app: McpClient;
let alice: McpClient;
let bob: McpClient;

beforeAll(async () => {
  server = await startWireServer();
  app = await connectMcp(server.url, APP.bearerToken);
  alice = await connectMcp(server.url, ALICE_OAUTH2);
  bob = await connectMcp(server.url, signedFetch());
});

afterAll(async () => {
  for (const each of [app, alice, bob]) await each[Symbol.asyncDispose]();
  await server.close();
});

/** A fetch that signs each request for bob, as OAuth 1.0a clients do: the body is no form and is not signed. */
function signedFetch(): typeof fetch {
  const signer = new OAuth({
    consumer: { key: APP.apiKey, secret: APP.apiSecret },
    signature_method: 'HMAC-SHA1',
    hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
  });
  const token = { key: BOB_KEYS.accessToken, secret: BOB_KEYS.accessSecret };
  return (url, init = {}) => {
    const headers = new Headers(init.headers);
    const { Authorization } = signer.toHeader(
      signer.authorize({ method: init.method ?? 'GET', url: String(url) }, token),
    );
    headers.set('authorization', Authorization);
    return fetch(url, { ...init, headers });
  };
}

async function overHttp(method: string, path: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

test('agrees on a protocol and describes the server', () => {
  expect(alice.client.getServerVersion()).toMatchObject({ name: 'pipit', title: 'Pipit' });
  expect(alice.client.getServerCapabilities()).toEqual({ tools: {} });
  expect(alice.client.getInstructions()).toContain('findMyUser');
});

describe('the list of tools', () => {
  test('holds what the credential may call', async () => {
    const [ofApp, ofAlice, ofBob] = await Promise.all([app, alice, bob].map((each) => each.toolNames()));
    const reader = await connectMcp(server.url, READ_ONLY_OAUTH2);
    const ofReader = await reader.toolNames();
    await reader[Symbol.asyncDispose]();
    for (const names of [ofApp, ofAlice, ofBob, ofReader]) expect(names).toContain('findTweetById');
    for (const names of [ofAlice, ofBob]) expect(names).toContain('createTweet');
    for (const names of [ofApp, ofReader]) expect(names).not.toContain('createTweet');
    expect(ofApp).toContain('getUsageTweets');
    expect(ofAlice).toContain('listIdCreate');
    // Alice's token lacks the scope; OAuth 1.0a has none.
    expect(ofAlice).not.toContain('usersIdFollow');
    expect(ofBob).toContain('usersIdFollow');
    // The app's level is too low for the research track.
    expect(ofApp).not.toContain('tweetsFullarchiveSearch');
  });

  test('describes arguments and effects', async () => {
    const { tools } = await alice.client.listTools();
    const named = (name: string) => tools.find((tool) => tool.name === name);
    expect(named('findTweetById')).toMatchObject({
      description: expect.stringContaining('GET /2/tweets/{id}'),
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, 'tweet.fields': { type: 'array' } },
        required: ['id'],
      },
      annotations: { readOnlyHint: true },
    });
    expect(named('createTweet')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(named('listIdUpdate')).toMatchObject({
      inputSchema: { properties: { id: {}, name: { maxLength: 25 } }, required: ['id'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
    const ofBob = await bob.client.listTools();
    const block = ofBob.tools.find((tool) => tool.name === 'usersIdBlock');
    expect(block?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: false });
  });
});

describe('tools', () => {
  test('read a post with fields and expansions', async () => {
    const sent = {
      id: POSTS.root,
      'tweet.fields': ['created_at', 'public_metrics'],
      expansions: 'author_id',
    };
    const { body, isError, meta } = await app.call('findTweetById', sent);
    expect(isError).toBe(false);
    expect(body.data).toMatchObject({ id: POSTS.root, author_id: ALICE.id });
    expect(body.includes.users[0].username).toBe('alice');
    const query = 'tweet.fields=created_at,public_metrics&expansions=author_id';
    const read = await overHttp('GET', `/2/tweets/${POSTS.root}?${query}`, APP.bearerToken);
    expect(body).toEqual(read.body);
    expect(meta).toMatchObject({ status: 200, headers: { 'x-rate-limit-limit': '300' } });
  });

  test('take a list of ids and report those that are missing', async () => {
    const { body, isError } = await alice.call('findTweetsById', {
      ids: [POSTS.root, POSTS.reply, UNKNOWN_POST],
    });
    expect(isError).toBe(false);
    expect(body.data).toHaveLength(2);
    expect(body.errors).toMatchObject([{ resource_id: UNKNOWN_POST }]);
  });

  test('post, reply and delete', async () => {
    const post = await alice.call('createTweet', { text: 'From a tool 🐦' });
    expect(post).toMatchObject({ isError: false, meta: { status: 201 } });
    const reply = { in_reply_to_tweet_id: post.body.data.id };
    const answer = await bob.call('createTweet', { text: 'A reply from another', reply });
    const { body } = await app.call('findTweetById', {
      id: answer.body.data.id,
      expansions: ['referenced_tweets.id'],
    });
    expect(body.includes.tweets[0]).toMatchObject({ id: post.body.data.id, text: 'From a tool 🐦' });
    expect((await alice.call('deleteTweetById', { id: post.body.data.id })).body).toEqual({
      data: { deleted: true },
    });
  });

  test('answer with the status of the request, also if it is not the usual one', async () => {
    const add = [{ value: 'gull tern' }];
    expect(await app.call('addOrDeleteRules', { add, dry_run: true })).toMatchObject({
      body: { meta: { summary: { created: 1, not_created: 0 } } },
      meta: { status: 201 },
    });
    await app.call('addOrDeleteRules', { add });
    const deleted = await app.call('addOrDeleteRules', { delete: { values: ['gull tern'] } });
    expect(deleted).toMatchObject({ body: { meta: { summary: { deleted: 1 } } }, meta: { status: 200 } });
  });

  test('follow, with a signature', async () => {
    const me = (await bob.call('findMyUser')).body.data;
    expect(me).toMatchObject(BOB);
    const followed = await bob.call('usersIdFollow', { id: me.id, target_user_id: CAROL.id });
    expect(followed.body).toEqual({ data: { following: false, pending_follow: true } });
  });
});

/** Invalid, with characters that a URL must escape. */
const QUERY = '"50% + more" & gull=tern, 🐦 -is:';

describe('refusals are results with the problem of the request', () => {
  test.each([
    [
      'a missing scope',
      'usersIdFollow',
      'POST',
      `/2/users/${ALICE.id}/following`,
      403,
      { id: ALICE.id },
      { target_user_id: BOB.id },
    ],
    ['an invalid id', 'findTweetById', 'GET', '/2/tweets/abc', 400, { id: 'abc' }, undefined],
    [
      'another user',
      'listUserPin',
      'POST',
      `/2/users/${BOB.id}/pinned_lists`,
      400,
      { id: BOB.id },
      { list_id: '1' },
    ],
    [
      'an invalid body',
      'createTweet',
      'POST',
      '/2/tweets',
      400,
      {},
      { text: 5, poll: { options: ['a'] }, colour: 'red' },
    ],
    [
      'an unknown parameter',
      'findMyUser',
      'GET',
      '/2/users/me?colour=red',
      400,
      { colour: 'red' },
      undefined,
    ],
    [
      'an invalid query',
      'tweetsRecentSearch',
      'GET',
      `/2/tweets/search/recent?query=${encodeURIComponent(QUERY)}`,
      400,
      { query: QUERY },
      undefined,
    ],
    [
      'an unknown post',
      'usersIdRetweets',
      'POST',
      `/2/users/${ALICE.id}/retweets`,
      404,
      { id: ALICE.id },
      { tweet_id: UNKNOWN_POST },
    ],
    ['a wrong context', 'getUsageTweets', 'GET', '/2/usage/tweets', 403, {}, undefined],
  ])('%s', async (_, tool, method, path, status, sent, body) => {
    const refused = await alice.call(tool, { ...sent, ...body });
    const request = await overHttp(method, path, ALICE_OAUTH2, body);
    expect(request.status).toBe(status);
    expect(refused).toMatchObject({ isError: true, meta: { status } });
    expect(refused.body).toEqual(request.body);
  });

  test('but an unknown tool is an error of the protocol', async () => {
    await expect(alice.call('mediaUpload')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('Unknown tool: mediaUpload'),
    });
  });
});

test('without valid credentials there is no connection', async () => {
  await expect(connectMcp(server.url, 'wrong')).rejects.toThrow(/401|Unauthorized/i);
});
