import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine, Tx } from '../../database/engine.js';
import { followedAmong, listFollowed, listFollowers } from '../../stores/follows.js';
import { lockUsers } from '../../stores/user-locks.js';
import { notPermitted, requireActive, requireNoBlock, requireTarget } from '../posts/action-rules.js';
import { endFollowing, endRequest, requestFollowing, startFollowing, type RelationDeps } from './changes.js';

/**
 * Following and unfollowing (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes). Each
 * change is one transaction; `lockUsers` serializes changes to the same users, so read-committed isolation suffices.
 */
export interface FollowService {
  /**
   * Follows a user. Idempotent. Returns 'pending' when the target is protected and now has a follow request. Throws
   * 'resource-not-found' for an unknown target, and 'forbidden' for oneself, a block or a suspended account.
   */
  follow(principal: UserPrincipal, targetId: UserId): Promise<'following' | 'pending'>;
  /** Removes a follow or withdraws a follow request. Idempotent. */
  unfollow(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Lists the followers of the user, newest first, without visibility filtering. */
  listFollowers(userId: UserId, request: PageRequest): Promise<Page<UserId>>;
  /** Lists the users that the user follows, newest first, without visibility filtering. */
  listFollowed(userId: UserId, request: PageRequest): Promise<Page<UserId>>;
}

export function createFollowService(deps: RelationDeps & { readonly engine: Engine }): FollowService {
  return {
    follow: async ({ userId }, targetId) => {
      if (userId === targetId) throw forbidden('You cannot follow yourself.');
      return deps.engine.tx('follow', (tx) => follow(tx, deps, userId, targetId), 'read-committed');
    },
    unfollow: ({ userId }, targetId) =>
      deps.engine.tx('unfollow', (tx) => unfollow(tx, userId, targetId), 'read-committed'),
    listFollowers: (userId, request) => listFollowers(deps.engine, userId, request),
    listFollowed: (userId, request) => listFollowed(deps.engine, userId, request),
  };
}

async function follow(
  tx: Tx,
  deps: RelationDeps,
  from: UserId,
  to: UserId,
): Promise<'following' | 'pending'> {
  await lockUsers(tx, [from, to]);
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
  await lockUsers(tx, [from, to]);
  await endFollowing(tx, from, to);
  await endRequest(tx, from, to);
}
