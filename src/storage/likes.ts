import type { EdgeId, PostId, UserId } from '../core/ids.js';
import type { Tx } from './engine.js';
import { sql } from './sql.js';

/** A user's like or bookmark of a post; the edge id orders lists by the time it was made. */
export interface PostEdge {
  readonly userId: UserId;
  readonly postId: PostId;
  readonly edgeId: EdgeId;
}

/** Likes a post, in the lists of both post and user; false, changing nothing, when that is so already. */
export async function insertLike(tx: Tx, edge: PostEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO likes (post_id, user_id, edge_id) VALUES (${edge.postId}, ${edge.userId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO liked_posts (user_id, post_id, edge_id) VALUES (${edge.userId}, ${edge.postId}, ${edge.edgeId})`);
  return true;
}

/** Takes every like of a post away, from the users' lists too. */
export async function deleteLikesOfPost(tx: Tx, postId: PostId): Promise<void> {
  await tx.run(sql`
    DELETE FROM liked_posts WHERE post_id = ${postId}
      AND user_id IN (SELECT user_id FROM likes WHERE post_id = ${postId})`);
  await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId}`);
}
