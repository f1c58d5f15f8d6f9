import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { EdgeId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Engine, Tx } from '../../database/engine.js';
import { deleteBlock, listBlocked } from '../../stores/blocks.js';
import {
  deleteFollowRequest,
  followedAmong,
  listFollowed,
  listFollowers,
  listFollowRequests,
} from '../../stores/follows.js';
import { deleteMute, insertMute, listMuted } from '../../stores/mutes.js';
import { lockUsers } from '../../stores/locks.js';
import { notPermitted, requireActive, requireNoBlock, requireTarget } from '../posts/action-rules.js';
import { acceptRequest, denyRequest } from './follow-requests.js';
import {
  endFollowing,
  requestFollowing,
  startBlocking,
  startFollowing,
  type RelationDeps,
} from './changes.js';

export type RelationService = ReturnType<typeof createRelationService>;

/**
 * Creates the service for follows, blocks and mutes (docs/api/errors.md#refused-actions,
 * docs/api/people.md#follows-blocks-and-mutes). Each change is one transaction and idempotent. `lockUsers` serializes
 * changes to the same users, and nothing else depends on mutes, so read-committed isolation suffices. Lists are
 * newest first, without visibility filtering.
 */
export function createRelationService(deps: RelationDeps & { readonly engine: Engine }) {
  const { engine, ids } = deps;
  const change = <T>(name: string, body: (tx: Tx) => Promise<T>, ...locked: UserId[]): Promise<T> =>
    engine.tx(name, (tx) => lockUsers(tx, locked).then(() => body(tx)), 'read-committed');
  return {
    /**
     * Follows a user. Returns 'pending' when the target is protected and now has a follow request. Throws
     * 'resource-not-found' for an unknown target, and 'forbidden' for oneself, a block or a suspended account.
     */
    follow: async ({ userId }: UserPrincipal, targetId: UserId) => {
      if (userId === targetId) throw forbidden(REFUSED.selfFollow);
      return change('follow', (tx) => follow(tx, deps, userId, targetId), userId, targetId);
    },
    /** Removes a follow or withdraws a follow request. */
    unfollow: ({ userId }: UserPrincipal, targetId: UserId) =>
      change('unfollow', (tx) => unfollow(tx, userId, targetId), userId, targetId),
    /** Makes a user no longer follow the caller. Idempotent; the user is not notified. */
    removeFollower: async ({ userId }: UserPrincipal, followerId: UserId) => {
      await change('remove follower', (tx) => endFollowing(tx, followerId, userId), userId, followerId);
    },
    /** Accepts a follow request. Idempotent. Throws 'resource-not-found' when there is neither request nor follow. */
    acceptRequest: async ({ userId }: UserPrincipal, fromId: UserId) => {
      if (await acceptRequest(deps, fromId, userId)) return;
      if ((await followedAmong(engine, fromId, [userId])).size > 0) return;
      throw resourceNotFound({ resourceType: 'user', parameter: 'id', value: String(fromId) });
    },
    /** Denies a follow request. Idempotent; the requester is not notified and may ask again. */
    denyRequest: async ({ userId }: UserPrincipal, fromId: UserId) => {
      await denyRequest(deps, fromId, userId);
    },
    listRequests: (userId: UserId, request: PageRequest) => listFollowRequests(engine, userId, request),
    /** Blocks a user. Throws 'resource-not-found' for an unknown target and 'forbidden' for oneself. */
    block: async ({ userId }: UserPrincipal, targetId: UserId) => {
      if (userId === targetId) throw forbidden('You cannot block yourself.');
      await change('block', (tx) => block(tx, deps, userId, targetId), userId, targetId);
    },
    /** Removes a block. Relations that the block removed are not restored. */
    unblock: async ({ userId }: UserPrincipal, targetId: UserId) => {
      await change('unblock', (tx) => deleteBlock(tx, userId, targetId), userId, targetId);
    },
    /** Mutes a user, who is not notified. Throws as `block` does. */
    mute: async ({ userId }: UserPrincipal, targetId: UserId) => {
      if (userId === targetId) throw forbidden("You can't mute yourself.");
      const body = async (tx: Tx) => {
        await requireTarget(tx, targetId);
        await insertMute(tx, userId, targetId, ids.next<EdgeId>());
      };
      await engine.tx('mute', body, 'read-committed');
    },
    unmute: async ({ userId }: UserPrincipal, targetId: UserId) => {
      await engine.tx('unmute', (tx) => deleteMute(tx, userId, targetId), 'read-committed');
    },
    listFollowers: (userId: UserId, request: PageRequest) => listFollowers(engine, userId, request),
    listFollowed: (userId: UserId, request: PageRequest) => listFollowed(engine, userId, request),
    listBlocked: (userId: UserId, request: PageRequest) => listBlocked(engine, userId, request),
    listMuted: (userId: UserId, request: PageRequest) => listMuted(engine, userId, request),
  };
}

async function follow(
  tx: Tx,
  deps: RelationDeps,
  from: UserId,
  to: UserId,
): Promise<'following' | 'pending'> {
  const target = await requireTarget(tx, to);
  if ((await followedAmong(tx, from, [to])).size > 0) return 'following';
  if (target.suspended) throw notPermitted();
  await requireActive(tx, from);
  await requireNoBlock(tx, from, to);
  if (!target.protected) {
    await startFollowing(tx, deps, from, to);
    return 'following';
  }
  await requestFollowing(tx, deps, from, to);
  return 'pending';
}

async function unfollow(tx: Tx, from: UserId, to: UserId): Promise<void> {
  await endFollowing(tx, from, to);
  await deleteFollowRequest(tx, from, to);
}

async function block(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<void> {
  await requireTarget(tx, to);
  await requireActive(tx, from);
  await startBlocking(tx, deps, from, to);
}
