import type { NotificationId, PostId, UserId } from '../../core/ids.js';
import type { NotificationKind } from '../../core/notification.js';
import type { Post } from '../../core/post.js';
import type { IdSource } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import { insertNotification } from '../../stores/notifications.js';

interface Deed {
  readonly kind: NotificationKind;
  readonly actorId: UserId;
  readonly postId?: PostId;
}

/** Notifies a user of what another one did, in the transaction that does it. Nobody is notified of own deeds. */
export async function notify(tx: Tx, ids: IdSource, userId: UserId, deed: Deed): Promise<void> {
  if (userId === deed.actorId) return;
  await insertNotification(tx, { ...deed, userId, id: ids.next<NotificationId>() });
}

/**
 * Notifies those whom a new post concerns, each once: the author of the post that it replies to, that of the quoted post,
 * and the mentioned users.
 */
export async function notifyOfPost(
  tx: Tx,
  { id, authorId }: Pick<Post, 'id' | 'authorId'>,
  {
    parent,
    quoted,
    mentionedIds,
  }: {
    readonly parent?: Pick<Post, 'authorId'>;
    readonly quoted?: Pick<Post, 'authorId'>;
    readonly mentionedIds: Iterable<UserId>;
  },
): Promise<void> {
  const kinds = new Map<UserId, NotificationKind>();
  for (const userId of mentionedIds) kinds.set(userId, 'mention');
  if (quoted) kinds.set(quoted.authorId, 'quote');
  if (parent) kinds.set(parent.authorId, 'reply');
  kinds.delete(authorId);
  const notificationId = BigInt(id) as NotificationId;
  await Promise.all(
    [...kinds].map(([userId, kind]) =>
      insertNotification(tx, { userId, id: notificationId, kind, actorId: authorId, postId: id }),
    ),
  );
}
