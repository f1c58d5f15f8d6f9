import type { PostId, UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** A post that was deleted. */
export interface DeletedPost {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  readonly deletedAtMs: number;
}

const DELETED = defineTable<DeletedPost, PostId>('deleted_posts', 'id', {
  id: ['post_id', asId],
  authorId: ['author_id', asId],
  createdAtMs: ['created_at', asNumber],
  deletedAtMs: ['deleted_at', asNumber],
});

/** Records for compliance jobs that a post was deleted. Returns false if already recorded. */
export function insertDeletedPost(
  tx: Tx,
  post: Pick<Post, 'id' | 'authorId' | 'createdAtMs'>,
  deletedAtMs: number,
): Promise<boolean> {
  return DELETED.insertNew(tx, { ...post, deletedAtMs });
}

/** Returns the posts among `ids` that were deleted on this server, by id. */
export const findDeletedPosts = DELETED.findAmong;

/** Returns the posts that were deleted and not stored again. */
export function listAllDeletedPosts(db: Queryable): Promise<DeletedPost[]> {
  return DELETED.list(
    db,
    sql`NOT EXISTS (SELECT 1 FROM posts WHERE posts.id = deleted_posts.post_id) ORDER BY post_id`,
  );
}
