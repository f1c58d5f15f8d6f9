import type { PostId, UserId } from '../../core/ids.js';
import { forbidden } from '../../core/errors.js';
import type { Post, ReplySettings } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { followedAmong } from '../../stores/follows.js';
import { findPosts } from '../../stores/posts.js';
import { findUser } from '../../stores/users.js';

/** The posts whose settings limit replies to `post`: those above it, and itself unless everyone may reply. */
export function replyLimits(post: Post): readonly string[] {
  const above = post.detail.replyLimitedBy ?? [];
  return post.replySettings === 'everyone' ? above : [...above, String(post.id)];
}

/** Every reply asks all posts above it that limit replies, and keeps their ids. */
const MAX_REPLY_LIMITS = 50;

/**
 * Refuses a reply that would limit replies where as many posts as possible do so already. Throws PipitError 'forbidden'.
 */
export function requireRoomForLimit(parent: Post, settings: ReplySettings | undefined): void {
  if (settings === undefined || settings === 'everyone') return;
  if (replyLimits(parent).length < MAX_REPLY_LIMITS) return;
  throw forbidden(`At most ${MAX_REPLY_LIMITS} posts above a reply can limit replies.`);
}

/**
 * Refuses a reply that the post replied to, or one above it, does not allow: settings hold for the whole conversation
 * below a post (docs/api/posts.md#reply-settings). Throws PipitError 'forbidden'.
 */
export async function requireMayReply(db: Queryable, authorId: UserId, target: Post): Promise<void> {
  // The root is asked in any case: imported posts do not say what limits them.
  const ids = new Set([...replyLimits(target).map((id) => BigInt(id) as PostId), target.conversationId]);
  for (const post of (await findPosts(db, [...ids])).values()) {
    if (!(await allowsReplyFrom(db, post, authorId))) {
      throw forbidden(
        'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the ' +
          'author of the post you are replying to.',
      );
    }
  }
}

async function allowsReplyFrom(db: Queryable, post: Post, authorId: UserId): Promise<boolean> {
  if (post.replySettings === 'everyone' || post.authorId === authorId) return true;
  const mentions = post.detail.entities?.mentions ?? [];
  if (mentions.some((mention) => mention.id === String(authorId))) return true;
  switch (post.replySettings) {
    case 'following':
      return (await followedAmong(db, post.authorId, [authorId])).size > 0;
    case 'subscribers':
      // A follower is what a subscriber is elsewhere: nothing is paid here.
      return (await followedAmong(db, authorId, [post.authorId])).size > 0;
    case 'verified':
      return (await findUser(db, authorId))?.verified ?? false;
    case 'mentionedUsers':
    case 'other':
      return false;
  }
}
