import { pairConversation } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { findConversations } from '../../stores/dm-conversations.js';
import type { Queryable } from '../../database/engine.js';
import { followedAmong, followersAmong, requestedAmong, requestersAmong } from '../../stores/follows.js';
import { mutedAmong } from '../../stores/mutes.js';
import type { ViewReads } from './reads.js';
import type { UserExtras, UserRelation } from '../wire/user.js';

/** Users by id, with the data that the requested fields need. */
export interface UserSet {
  find(id: UserId): User | undefined;
  /** Returns undefined if no field needs extras. */
  extrasOf(id: UserId): UserExtras | undefined;
}

/** Loads users in one batch: counts and the viewer's relations only if the fields need them. */
export async function hydrateUsers(
  { db, findUsers, findUserCounts }: Pick<ViewReads, 'db' | 'findUsers' | 'findUserCounts'>,
  ids: readonly UserId[],
  viewerId: UserId | undefined,
  fields: ReadonlySet<string>,
): Promise<UserSet> {
  const users = await findUsers(ids);
  const counts = fields.has('public_metrics') ? await findUserCounts(ids) : undefined;
  const wantsRelation = fields.has('connection_status') || fields.has('receives_your_dm');
  const relationTo =
    viewerId !== undefined && wantsRelation ? await loadRelations(db, viewerId, ids, fields) : undefined;
  return {
    find: (id) => users.get(id),
    extrasOf: (id) =>
      counts || relationTo ? { counts: counts?.get(id), relation: relationTo?.(id) } : undefined,
  };
}

async function loadRelations(
  db: Queryable,
  viewerId: UserId,
  ids: readonly UserId[],
  fields: ReadonlySet<string>,
): Promise<(id: UserId) => UserRelation> {
  const pairOf = (id: UserId) => pairConversation(viewerId, id).id;
  const pairs = fields.has('receives_your_dm') ? ids.map(pairOf) : [];
  const following = await followedAmong(db, viewerId, ids);
  const followedBy = await followersAmong(db, viewerId, ids);
  const requestSent = await requestedAmong(db, viewerId, ids);
  const requestReceived = await requestersAmong(db, viewerId, ids);
  const blocking = await blockedAmong(db, viewerId, ids);
  const blockedBy = await blockersAmong(db, viewerId, ids);
  const muting = await mutedAmong(db, viewerId, ids);
  const conversations = await findConversations(db, pairs);
  return (id) => ({
    isSelf: id === viewerId,
    following: following.has(id),
    followedBy: followedBy.has(id),
    followRequestSent: requestSent.has(id),
    followRequestReceived: requestReceived.has(id),
    blocking: blocking.has(id),
    blockedBy: blockedBy.has(id),
    muting: muting.has(id),
    hasConversation: conversations.has(pairOf(id)),
  });
}
