import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { blockedAmong, blockersAmong } from '../../storage/blocks.js';
import type { Queryable } from '../../storage/engine.js';
import { followedAmong, followersAmong, requestedAmong, requestersAmong } from '../../storage/follows.js';
import { mutedAmong } from '../../storage/mutes.js';
import { findUserCounts, findUsers } from '../../storage/users.js';
import type { UserExtras, UserRelation } from '../present/user.js';

/** Users by id, with what their objects show as far as the fields ask for it. */
export interface UserSet {
  find(id: UserId): User | undefined;
  extrasOf(id: UserId): UserExtras;
}

/** Loads users in one go: counts and the viewer's relations only when the fields need them. */
export async function hydrateUsers(
  db: Queryable,
  ids: readonly UserId[],
  viewerId: UserId | undefined,
  fields: ReadonlySet<string>,
): Promise<UserSet> {
  const users = await findUsers(db, ids);
  const counts = fields.has('public_metrics') ? await findUserCounts(db, ids) : new Map<UserId, UserCounts>();
  const wantsRelation = fields.has('connection_status') || fields.has('receives_your_dm');
  const relationTo =
    viewerId !== undefined && wantsRelation ? await loadRelations(db, viewerId, ids) : undefined;
  return {
    find: (id) => users.get(id),
    extrasOf: (id) => ({ counts: counts.get(id), relation: relationTo?.(id) }),
  };
}

async function loadRelations(
  db: Queryable,
  viewerId: UserId,
  ids: readonly UserId[],
): Promise<(id: UserId) => UserRelation> {
  const following = await followedAmong(db, viewerId, ids);
  const followedBy = await followersAmong(db, viewerId, ids);
  const requestSent = await requestedAmong(db, viewerId, ids);
  const requestReceived = await requestersAmong(db, viewerId, ids);
  const blocking = await blockedAmong(db, viewerId, ids);
  const blockedBy = await blockersAmong(db, viewerId, ids);
  const muting = await mutedAmong(db, viewerId, ids);
  return (id) => ({
    isSelf: id === viewerId,
    following: following.has(id),
    followedBy: followedBy.has(id),
    followRequestSent: requestSent.has(id),
    followRequestReceived: requestReceived.has(id),
    blocking: blocking.has(id),
    blockedBy: blockedBy.has(id),
    muting: muting.has(id),
  });
}
