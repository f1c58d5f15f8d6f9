import type { PostId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { insertBookmark } from '../stores/bookmarks.js';
import { insertLike, type PostEdge } from '../stores/likes.js';
import { incrementPostCount } from '../stores/posts.js';
import type { Check, Load } from './pass.js';
import { idOf, listOf, objectOf, timestamp } from './readers.js';
import { username } from './users.js';

const reaction = objectOf({
  user: v.required(username),
  post: v.required(idOf<PostId>()),
  at: timestamp,
});
/** Likes or bookmarks. */
export const readReactions = listOf(reaction);
export type WorldReaction = v.ValueOf<typeof reaction>;

export async function checkReactions(
  entries: readonly WorldReaction[],
  { known, faults }: Check,
): Promise<void> {
  await known.requireUsers(
    entries.map(({ user, path }) => ({ name: user, path: `${path}.user` })),
    faults,
  );
  await known.requirePosts(
    entries.map(({ post, path }) => ({ name: post, path: `${path}.post` })),
    faults,
  );
}

export async function storeLikes(entries: readonly WorldReaction[], load: Load): Promise<void> {
  for (const entry of entries) {
    const edge = asEdge(entry, load);
    if (!(await insertLike(load.tx, edge))) continue;
    await incrementPostCount(load.tx, edge.postId, 'likes');
    load.added('likes');
  }
}

export async function storeBookmarks(entries: readonly WorldReaction[], load: Load): Promise<void> {
  for (const entry of entries) {
    const edge = asEdge(entry, load);
    if (!(await insertBookmark(load.tx, edge))) continue;
    await incrementPostCount(load.tx, edge.postId, 'bookmarks');
    load.added('bookmarks');
  }
}

/** Returns the edge of a reaction; a reaction to a repost goes to its original (docs/api/posts.md#replies-quotes-and-reposts). */
function asEdge({ user, post, at }: WorldReaction, { known, edgeId }: Load): PostEdge {
  return { userId: known.userId(user), postId: known.original(post), edgeId: edgeId(at) };
}
