import type { UserId } from '../core/ids.js';
import { isReply, type Post } from '../core/post.js';
import type { Relations } from '../stores/user-edges.js';

/** Kinds of posts that a caller may exclude, in wire names (docs/api/timelines.md#bounds). */
export const EXCLUDABLE = ['retweets', 'replies'] as const;
export type Excludable = (typeof EXCLUDABLE)[number];

/** Returns true unless the caller excludes posts of this kind. */
export function isIncluded(post: Post, exclude: ReadonlySet<Excludable>): boolean {
  if (exclude.has('retweets') && post.repostedPostId !== undefined) return false;
  return !(exclude.has('replies') && isReply(post));
}

/** Followers see posts in a community at home only if they are shared with them (docs/api/communities.md). */
function isForCommunity({ detail }: Post): boolean {
  return detail.communityId !== undefined && detail.sharedWithFollowers !== true;
}

/**
 * Returns true for posts of a home timeline: the viewer's own and those of followed authors, except posts and reposts
 * of muted or blocked authors and posts for a community (docs/api/timelines.md). `original` is the reposted post.
 */
export function belongsHome(
  viewerId: UserId,
  { follows, mutes, blocks }: Relations,
  post: Post,
  original: Post | undefined,
): boolean {
  if (post.authorId !== viewerId && !follows.has(post.authorId)) return false;
  if (post.authorId !== viewerId && isForCommunity(post)) return false;
  const isUnwanted = (id: UserId): boolean => mutes.has(id) || blocks.has(id);
  return !isUnwanted(post.authorId) && !(original && isUnwanted(original.authorId));
}
