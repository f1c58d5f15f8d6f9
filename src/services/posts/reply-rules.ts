import type { PostId, UserId } from '../../core/ids.js';
import { forbidden } from '../../core/errors.js';
import { wholeTextOf, type Post, type ReplySettings } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Queryable } from '../../database/engine.js';
import { followedAmong } from '../../stores/follows.js';
import { findPosts } from '../../stores/posts.js';
import { findUser } from '../../stores/users.js';

/**
 * Returns the ids of the posts whose reply settings apply to replies to `post`: its ancestors, and itself unless
 * everyone may reply.
 */
export function replyLimits(post: Post): readonly string[] {
  const above = post.detail.replyLimitedBy ?? [];
  return post.replySettings === 'everyone' ? above : [...above, String(post.id)];
}

/** Each reply stores the ids of all ancestors that limit replies, and checks every one of them. */
const MAX_REPLY_LIMITS = 50;

/** Throws 'forbidden' for a reply that would limit replies when the maximum number of ancestors already does. */
export function requireRoomForLimit(parent: Post, settings: ReplySettings | undefined): void {
  if (settings === undefined || settings === 'everyone') return;
  if (replyLimits(parent).length < MAX_REPLY_LIMITS) return;
  throw forbidden(`At most ${MAX_REPLY_LIMITS} posts above a reply can limit replies.`);
}

/**
 * Throws 'forbidden' for a reply that the target or one of its ancestors does not allow. Reply settings apply to the
 * whole conversation below a post (docs/api/posts.md#reply-settings).
 */
export async function requireMayReply(db: Queryable, authorId: UserId, target: Post): Promise<void> {
  // Always checks the root, because imported posts do not store their limits.
  const ids = new Set([...replyLimits(target).map((id) => BigInt(id) as PostId), target.conversationId]);
  for (const post of (await findPosts(db, [...ids])).values()) {
    if (!(await allowsReplyFrom(db, post, authorId))) {
      throw forbidden(REFUSED.replyLimited);
    }
  }
}

async function allowsReplyFrom(db: Queryable, post: Post, authorId: UserId): Promise<boolean> {
  if (post.replySettings === 'everyone' || post.authorId === authorId) return true;
  const mentions = wholeTextOf(post).entities?.mentions ?? [];
  if (mentions.some((mention) => mention.id === String(authorId))) return true;
  switch (post.replySettings) {
    case 'following':
      return (await followedAmong(db, post.authorId, [authorId])).size > 0;
    case 'subscribers':
      // There are no paid subscriptions here, so followers count as subscribers.
      return (await followedAmong(db, authorId, [post.authorId])).size > 0;
    case 'verified':
      return (await findUser(db, authorId))?.verified ?? false;
    case 'mentionedUsers':
    case 'other':
      return false;
  }
}
