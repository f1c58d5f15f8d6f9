/** The kinds of notifications, in wire names (docs/api/pipit.md#notifications). */
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
