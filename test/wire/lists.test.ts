import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'twitter-api-sdk';
import { ApiResponseError, type TwitterApi } from 'twitter-api-v2';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_KEYS,
  ALICE_OAUTH2,
  BOB,
  BOB_KEYS,
  POSTS,
  signedClient,
  startWireServer,
} from './support/wire-world.js';

/**
 * Lists with unmodified twitter-api-v2, and for pinned Lists, which it does not read, twitter-api-sdk. Each test
 * continues from the previous one.
 */

let server: WireServer;
let alice: TwitterApi;
let bob: TwitterApi;
let sdk: Client;
let list: string;

beforeAll(async () => {
  server = await startWireServer();
  alice = signedClient(server, ALICE_KEYS);
  bob = signedClient(server, BOB_KEYS);
  sdk = new Client(ALICE_OAUTH2, { base_url: server.url });
});

afterAll(() => server.close());

describe('the client', () => {
  test('creates, changes and reads a List', async () => {
    const created = await alice.v2.createList({ name: 'Pond', description: 'Who swims', private: false });
    expect(created.data).toEqual({ id: expect.stringMatching(/^\d+$/) as string, name: 'Pond' });
    list = created.data.id;
    expect((await alice.v2.updateList(list, { name: 'Lake' })).data).toEqual({ updated: true });
    const found = await bob.v2.list(list, {
      'list.fields': ['created_at', 'member_count', 'follower_count', 'private', 'owner_id', 'description'],
      expansions: ['owner_id'],
    });
    expect(found.data).toMatchObject({
      id: list,
      name: 'Lake',
      description: 'Who swims',
      member_count: 0,
      follower_count: 0,
      owner_id: ALICE.id,
      private: false,
    });
    expect(found.includes?.users).toMatchObject([ALICE]);
  });

  test('adds members and reads them, their memberships and their posts', async () => {
    expect((await alice.v2.addListMember(list, BOB.id)).data).toEqual({ is_member: true });
    const members = await alice.v2.listMembers(list, { max_results: 1 });
    expect(members.users.map(({ id }) => id)).toEqual([BOB.id]);
    await members.fetchLast();
    expect(members.done).toBe(true);
    const memberships = await alice.v2.listMemberships(BOB.id);
    expect(memberships.lists.map(({ id }) => id)).toEqual([list]);
    const posts = await alice.v2.listTweets(list, { max_results: 1, expansions: ['author_id'] });
    expect(posts.tweets.map(({ id }) => id)).toEqual([POSTS.quote]);
    await posts.fetchLast();
    expect(posts.tweets.map(({ id }) => id)).toEqual([POSTS.quote, POSTS.reply]);
    expect(posts.includes.users[0]).toMatchObject(BOB);
  });

  test('follows and pins, and reads owned and followed Lists and followers', async () => {
    expect((await bob.v2.subscribeToList(BOB.id, list)).data).toEqual({ following: true });
    expect((await bob.v2.pinList(BOB.id, list)).data).toEqual({ pinned: true });
    expect((await bob.v2.listFollowed(BOB.id)).lists.map(({ id }) => id)).toEqual([list]);
    expect((await bob.v2.listsOwned(ALICE.id)).lists.map(({ id }) => id)).toEqual([list]);
    expect((await bob.v2.listFollowers(list)).users.map(({ id }) => id)).toEqual([BOB.id]);
    const pinned = await bob.v2.get<{ data: unknown; meta: unknown }>(`users/${BOB.id}/pinned_lists`);
    expect(pinned).toEqual({ data: [{ id: list, name: 'Lake' }], meta: { result_count: 1 } });
    expect(await sdk.lists.listUserPin(ALICE.id, { list_id: list })).toEqual({ data: { pinned: true } });
    expect(await sdk.lists.listUserPinnedLists(ALICE.id)).toEqual(pinned);
  });

  test('is refused actions of the owner', async () => {
    const refused: unknown = await bob.v2.removeList(list).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiResponseError);
    expect(refused).toMatchObject({
      code: 403,
      data: { detail: 'You are not allowed to delete this List.' },
    });
  });

  test('undoes all of it', async () => {
    expect((await bob.v2.unpinList(BOB.id, list)).data).toEqual({ pinned: false });
    expect((await bob.v2.unsubscribeOfList(BOB.id, list)).data).toEqual({ following: false });
    expect((await alice.v2.removeListMember(list, BOB.id)).data).toEqual({ is_member: false });
    expect((await alice.v2.removeList(list)).data).toEqual({ deleted: true });
    expect((await bob.v2.list(list)).data).toBeUndefined();
  });
});
