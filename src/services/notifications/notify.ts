import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import {
  addToNotification,
  insertPostNotifications,
  insertRequestNotification,
} from '../../stores/notifications.js';

/**
 * Notifies the users that a post answers, quotes or mentions, each once and never its author; in the transaction that
 * stores the post.
 */
export async function notifyOfPost(
  tx: Tx,
  { id, authorId, inReplyToUserId }: Post,
  mentionedIds: Iterable<UserId>,
  quotedAuthorId?: UserId,
): Promise<void> {
  const recipients = new Map<UserId, 'mention' | 'reply' | 'quote'>();
  for (const userId of mentionedIds) recipients.set(userId, 'mention');
  if (quotedAuthorId !== undefined) recipients.set(quotedAuthorId, 'quote');
  if (inReplyToUserId !== undefined) recipients.set(inReplyToUserId, 'reply');
  recipients.delete(authorId);
  if (recipients.size > 0) await insertPostNotifications(tx, id, recipients);
}

/** A like or a repost. */
interface Reaction {
  readonly kind: 'like' | 'repost';
  readonly userId: UserId;
  readonly postId: PostId;
  /** The id of the like or the repost. */
  readonly key: EdgeId | PostId;
}

/** Notifies the author of a post of a reaction to it, in the transaction that stores it. */
export async function notifyOfReaction(tx: Tx, authorId: UserId, reaction: Reaction): Promise<void> {
  const { kind, userId, postId, key } = reaction;
  if (userId !== authorId) await addToNotification(tx, { userId: authorId, kind, postId, key });
}

/** Notifies a user of a follower, in the transaction that stores the follow. */
export function notifyOfFollow(tx: Tx, userId: UserId, key: EdgeId): Promise<void> {
  return addToNotification(tx, { userId, kind: 'follow', key });
}

export const notifyOfRequest = insertRequestNotification;
