import type { Post } from '../core/post.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Removes the place and coordinates of a post and records that for compliance jobs. Returns false if it has neither.
 */
export async function scrubPost(tx: Tx, post: Post, scrubbedAtMs: number): Promise<boolean> {
  const { coordinates, ...detail } = post.detail;
  if (post.placeId === undefined && coordinates === undefined) return false;
  await tx.run(
    sql`UPDATE posts SET place_id = NULL, detail = ${JSON.stringify(detail)} WHERE id = ${post.id}`,
  );
  await tx.run(sql`
    INSERT INTO scrubbed_posts (post_id, created_at, scrubbed_at)
    VALUES (${post.id}, ${post.createdAtMs}, ${scrubbedAtMs})
    ON CONFLICT (post_id) DO UPDATE SET scrubbed_at = excluded.scrubbed_at`);
  return true;
}
