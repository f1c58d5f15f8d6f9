import type { PostId, UserId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import { findRelations } from '../../stores/user-edges.js';
import { findAccountStates } from '../../stores/users.js';

/**
 * Removes posts by, or reposted from, authors that the viewer mutes or blocks, and authors that became protected
 * after indexing: search shows protected posts to no one (docs/api/search.md#matching, "Visibility"). Keeps the
 * order. Views apply the other visibility rules.
 */
export async function exceptUnwanted(
  db: Queryable,
  viewerId: UserId,
  ids: readonly PostId[],
): Promise<PostId[]> {
  const authors = await authorsOf(db, ids);
  const authorIds = [...new Set([...authors.values()].flat())];
  const states = await findAccountStates(db, authorIds);
  const { mutes, blocks } = await findRelations(db, viewerId, authorIds);
  const isUnwanted = (author: UserId): boolean =>
    mutes.has(author) || blocks.has(author) || states.get(author)?.protected === true;
  return ids.filter((id) => !(authors.get(id) ?? []).some(isUnwanted));
}

/** Returns the author of each post, and for reposts also the author of the original. */
async function authorsOf(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, UserId[]>> {
  const posts = await findPosts(db, ids);
  const repostedIds = [...posts.values()].flatMap(({ repostedPostId }) => repostedPostId ?? []);
  const originals = await findPosts(db, repostedIds);
  const authors = new Map<PostId, UserId[]>();
  for (const { id, authorId, repostedPostId } of posts.values()) {
    const original = repostedPostId === undefined ? undefined : originals.get(repostedPostId);
    authors.set(id, original ? [authorId, original.authorId] : [authorId]);
  }
  return authors;
}
