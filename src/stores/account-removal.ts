import type { PostId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, sql } from '../database/sql.js';
import { deleteAccountSubscriptionsBy } from './account-subscriptions.js';
import { deleteActivitySubscriptionsBy } from './activity-subscriptions.js';
import { deleteDmBlocksOf } from './dm-blocks.js';
import { deleteReportsOf } from './report-cases.js';
import { existsQuery, listQuery, deleteBy } from '../database/table.js';

/**
 * Deletes a user's sessions, pending consents and password reset links. Tokens stay: they are refused while the
 * account is hidden.
 */
export const endSignIns = deleteBy<UserId>(
  'user_id',
  'web_sessions',
  'authorization_codes',
  'request_tokens',
  'password_resets',
);

/** Deletes an operator's unused invitations and password reset links. */
export async function deleteLinksBy(tx: Tx, operatorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM invitations WHERE created_by = ${operatorId} AND used_by IS NULL`);
  await tx.run(sql`DELETE FROM password_resets WHERE created_by = ${operatorId}`);
}

/** Reads and deletes the data of an account in small batches, so that no other writer waits for long. */

/** Creates the query that returns up to `limit` ids of a user's rows in a table. */
function idsOf<Id extends bigint>(table: string, id: string) {
  const text = `SELECT ${id} FROM ${table} WHERE user_id = ? LIMIT ?`;
  return listQuery<Id, [userId: UserId, limit: number]>(asId, text);
}

export const listFollowed = idsOf<UserId>('follows', 'target_id');
export const listFollowers = idsOf<UserId>('followers', 'follower_id');
export const listPostIds = idsOf<PostId>('user_posts', 'post_id');
export const listLikedIds = idsOf<PostId>('liked_posts', 'post_id');
export const listBookmarkIds = idsOf<PostId>('bookmarks', 'post_id');

/** Reports whether a post of the user is stored. */
export const hasPosts = existsQuery<[userId: UserId]>(
  `SELECT 1 FROM (SELECT post_id FROM user_posts WHERE user_id = ?) u CROSS JOIN posts p
   WHERE p.id = u.post_id LIMIT 1`,
);

/**
 * Deletes the rows that no counter depends on: blocks and mutes in both directions, mentions of the user, texts,
 * tokens, subscriptions to activity, reports.
 */
export async function removeUncounted(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM blocks WHERE user_id = ${userId} OR target_id = ${userId}`);
  await tx.run(sql`DELETE FROM blocked_by WHERE user_id = ${userId} OR blocker_id = ${userId}`);
  await tx.run(sql`DELETE FROM mutes WHERE user_id = ${userId} OR target_id = ${userId}`);
  await deleteDmBlocksOf(tx, userId);
  await deleteActivitySubscriptionsBy(tx, userId);
  await deleteAccountSubscriptionsBy(tx, userId);
  await deleteReportsOf(tx, userId);
  await deleteOwnRows(tx, userId);
}

const deleteOwnRows = deleteBy<UserId>(
  'user_id',
  'mentions',
  'recent_texts',
  'bearer_tokens',
  'refresh_tokens',
  'oauth1_tokens',
  'web_sessions',
  'password_resets',
  'deactivated_users',
  'operators',
  'media_usage',
  'bookmark_folders',
  'poll_votes',
  'notifications',
  'notification_reads',
  'saved_searches',
  'user_notices',
  'suspensions',
  'dismissed_first_steps',
);
