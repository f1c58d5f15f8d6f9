import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asBoolean, asId, sql } from '../database/sql.js';
import { deleteBy, listQuery, rowChange, rowsChange, valueQuery } from '../database/table.js';

/**
 * Authors with too many followers for fan-out: their posts are merged into home timelines at read time. Such an
 * author stays large; merging is correct for any number of followers.
 */

/** `growing`: not all followers are in `large_follows` yet, so posts are still fanned out. */
export type LargeAuthorState = 'growing' | 'ready';

export const findLargeAuthor = valueQuery<LargeAuthorState, [userId: UserId]>(
  (isReady) => (asBoolean(isReady) ? 'ready' : 'growing'),
  'SELECT is_ready FROM large_authors WHERE user_id = ?',
);

/** Marks the author as large and `growing`. Returns false if already large. */
export const insertLargeAuthor = rowChange<[userId: UserId]>(
  'INSERT INTO large_authors (user_id, is_ready) VALUES (?, 0) ON CONFLICT DO NOTHING',
);

export async function markLargeAuthorReady(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`UPDATE large_authors SET is_ready = 1 WHERE user_id = ${userId}`);
}

export const deleteLargeAuthor = deleteBy<UserId>('user_id', 'large_authors');

/** Records that these users follow a large author. */
export const insertLargeFollows = rowsChange<[authorId: UserId, followerIds: readonly UserId[]]>(
  `INSERT INTO large_follows (user_id, author_id)
  SELECT follower_id, user_id FROM followers WHERE user_id = ? AND follower_id IN ?
  ON CONFLICT DO NOTHING`,
);

export async function deleteLargeFollow(tx: Tx, userId: UserId, authorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM large_follows WHERE user_id = ${userId} AND author_id = ${authorId}`);
}

/** Returns the large authors that the user follows. */
export const listLargeFollows = listQuery<UserId, [userId: UserId]>(
  asId,
  'SELECT author_id FROM large_follows WHERE user_id = ?',
);
