import type { PostId } from '../../core/ids.js';
import { firstVersionId, type Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { pagePosts } from '../../stores/posts.js';
import { listAllDeletedPosts, type DeletedPost } from '../../stores/deleted-posts.js';
import { readAll } from './read-all.js';

/** All posts of a network. */
export interface StoredPosts {
  /** Posts by the id that others refer to, as they were first written. */
  readonly first: ReadonlyMap<PostId, Post>;
  /** The later versions of those that were edited, oldest first. */
  readonly edits: ReadonlyMap<PostId, readonly Post[]>;
  /** The posts that were deleted. */
  readonly deleted: ReadonlyMap<PostId, DeletedPost>;
}

/** Reads all posts. */
export async function readStoredPosts(db: Queryable): Promise<StoredPosts> {
  const first = new Map<PostId, Post>();
  const edits = new Map<PostId, Post[]>();
  for (const post of await readAll<Post>((last, limit) =>
    pagePosts(db, last?.id ?? (-1n as PostId), limit),
  )) {
    const id = firstVersionId(post);
    if (post.id === id) first.set(id, post);
    else edits.set(id, [...(edits.get(id) ?? []), post]);
  }
  const deleted = (await listAllDeletedPosts(db)).map((post) => [post.id, post] as const);
  return { first, edits, deleted: new Map(deleted) };
}
