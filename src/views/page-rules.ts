import type { UserId } from '../core/ids.js';
import { isReply, type Post } from '../core/post.js';
import type { Relations } from '../stores/user-edges.js';

/** Kinds of posts that a caller may leave out, in wire names (docs/api/timelines.md#bounds). */
export const EXCLUDABLE = ['retweets', 'replies'] as const;
export type Excludable = (typeof EXCLUDABLE)[number];

/** True unless the post is of a kind that the caller leaves out. */
export function isIncluded(post: Post, exclude: ReadonlySet<Excludable>): boolean {
  if (exclude.has('retweets') && post.repostedPostId !== undefined) return false;
  return !(exclude.has('replies') && isReply(post));
}

/**
 * True for what belongs on a home timeline: the viewer's own posts and those of authors who are followed now; nothing by
 * or from muted or blocked authors (docs/api/timelines.md). `original` is what a repost repeats.
 */
export function belongsHome(
  viewerId: UserId,
  { follows, mutes, blocks }: Relations,
  post: Post,
  original: Post | undefined,
): boolean {
  if (post.authorId !== viewerId && !follows.has(post.authorId)) return false;
  const isUnwanted = (id: UserId): boolean => mutes.has(id) || blocks.has(id);
  return !isUnwanted(post.authorId) && !(original && isUnwanted(original.authorId));
}
