import type { NotificationId, PostId, UserId } from './ids.js';

/** What a notification tells, in the order in which the database numbers them. */
export const NOTIFICATION_KINDS = [
  'mention',
  'reply',
  'quote',
  'like',
  'repost',
  'follow',
  'follow_request',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** One thing that somebody did and that concerns a user (docs/api/pipit.md#notifications). */
export interface Notification {
  readonly userId: UserId;
  /** Of a mention, reply or quote the id of the post; grows with time. */
  readonly id: NotificationId;
  readonly kind: NotificationKind;
  readonly actorId: UserId;
  /** The post that is liked or reposted, or that mentions, replies or quotes; absent for follows. */
  readonly postId?: PostId;
}

/** A notification and whether its user has read it. */
export interface ListedNotification extends Notification {
  readonly isRead: boolean;
}
