import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiResponseError, type TwitterApi } from 'twitter-api-v2';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_KEYS,
  BOB,
  BOB_KEYS,
  CAROL,
  signedClient,
  startWireServer,
} from './support/wire-world.js';

/** Follows, blocks and mutes with unmodified twitter-api-v2; alice and bob follow each other, carol is protected. */

let server: WireServer;
let alice: TwitterApi;
let bob: TwitterApi;

beforeAll(async () => {
  server = await startWireServer();
  alice = signedClient(server, ALICE_KEYS);
  bob = signedClient(server, BOB_KEYS);
});

afterAll(() => server.close());

describe('the client', () => {
  test('follows, sends follow requests to protected users, and ends both', async () => {
    expect((await alice.v2.unfollow(ALICE.id, BOB.id)).data).toEqual({ following: false });
    expect((await alice.v2.follow(ALICE.id, BOB.id)).data).toEqual({
      following: true,
      pending_follow: false,
    });
    expect((await alice.v2.follow(ALICE.id, CAROL.id)).data).toEqual({
      following: false,
      pending_follow: true,
    });
    expect((await alice.v2.unfollow(ALICE.id, CAROL.id)).data).toEqual({ following: false });
  });

  test('reads followers and followed users with its paginators', async () => {
    const followers = await alice.v2.followers(BOB.id, { asPaginator: true, max_results: 1 });
    expect(followers.users.map(({ username }) => username)).toEqual([ALICE.username]);
    await followers.fetchLast();
    expect(followers.done).toBe(true);
    const following = await alice.v2.following(BOB.id, { 'user.fields': ['public_metrics'] });
    expect(following.data).toMatchObject([{ ...ALICE, public_metrics: { following_count: 1 } }]);
    expect(following.meta.result_count).toBe(1);
  });

  test('mutes, lists muted users and unmutes', async () => {
    expect((await alice.v2.mute(ALICE.id, BOB.id)).data).toEqual({ muting: true });
    const muted = await alice.v2.userMutingUsers(ALICE.id);
    expect(muted.users.map(({ id }) => id)).toEqual([BOB.id]);
    expect((await alice.v2.unmute(ALICE.id, BOB.id)).data).toEqual({ muting: false });
  });

  test('blocks, lists blocked users and unblocks, which restores no follows', async () => {
    expect((await alice.v2.block(ALICE.id, BOB.id)).data).toEqual({ blocking: true });
    const blocked = await alice.v2.userBlockingUsers(ALICE.id);
    expect(blocked.users.map(({ id }) => id)).toEqual([BOB.id]);
    const refused: unknown = await bob.v2.follow(BOB.id, ALICE.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiResponseError);
    expect(refused).toMatchObject({
      code: 403,
      data: { detail: 'You are not permitted to perform this action.' },
    });
    expect((await alice.v2.unblock(ALICE.id, BOB.id)).data).toEqual({ blocking: false });
    expect((await alice.v2.followers(BOB.id)).meta.result_count).toBe(0);
  });
});
