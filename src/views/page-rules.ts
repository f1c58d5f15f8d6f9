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

/** What decides whether a post belongs to a home timeline, beside the reader's relations. */
export interface PostOrigin {
  readonly authorId: UserId;
  /** The author of the reposted post. */
  readonly originalAuthorId: UserId | undefined;
  /** Followers see posts in a community at home only if they are shared with them (docs/api/communities.md). */
  readonly isForCommunity: boolean;
}

export function originOf({ authorId, detail }: Post, original: Post | undefined): PostOrigin {
  const isForCommunity = detail.communityId !== undefined && detail.sharedWithFollowers !== true;
  return { authorId, originalAuthorId: original?.authorId, isForCommunity };
}

/**
 * Returns true for posts of a home timeline: the viewer's own and those of followed authors, except posts and reposts
 * of muted or blocked authors and posts for a community (docs/api/timelines.md).
 */
export function belongsHome(
  viewerId: UserId,
  { follows, mutes, blocks }: Relations,
  { authorId, originalAuthorId, isForCommunity }: PostOrigin,
): boolean {
  if (authorId !== viewerId && (isForCommunity || !follows.has(authorId))) return false;
  const isUnwanted = (id: UserId): boolean => mutes.has(id) || blocks.has(id);
  return !isUnwanted(authorId) && (originalAuthorId === undefined || !isUnwanted(originalAuthorId));
}
