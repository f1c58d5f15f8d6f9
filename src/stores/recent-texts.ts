import type { PostId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, sql } from '../database/sql.js';
import { valueQuery } from '../database/table.js';

/** The texts that authors posted within the last day, as hashes. */

/**
 * Records the text of an author's new post. Returns false if the author posted the same text after `sinceMs`
 * (docs/api/posts.md#length, "Duplicate").
 */
export function insertRecentText(
  tx: Tx,
  text: { userId: UserId; hash: string; postId: PostId; createdAtMs: number; sinceMs: number },
): Promise<boolean> {
  return tx.runOne(sql`
    INSERT INTO recent_texts (user_id, text_hash, post_id, created_at)
    VALUES (${text.userId}, ${text.hash}, ${text.postId}, ${text.createdAtMs})
    ON CONFLICT (user_id, text_hash) DO UPDATE SET post_id = excluded.post_id, created_at = excluded.created_at
      WHERE recent_texts.created_at <= ${text.sinceMs}`);
}

/** Returns the post for which a text is recorded. */
export const findRecentText = valueQuery<PostId, [userId: UserId, hash: string]>(
  asId,
  'SELECT post_id FROM recent_texts WHERE user_id = ? AND text_hash = ?',
);

/** Deletes the recorded text of a deleted post, so that it may be posted again. */
export async function deleteRecentText(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM recent_texts WHERE user_id = ${userId} AND post_id = ${postId}`);
}
