import { count, date, flag, id, listOf, oneOf } from '../../core/json-schema.js';
import type { PostId, UserId } from '../../core/ids.js';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../core/notification.js';
import { presentDate } from '../present/dates.js';
import { byDefault, required, type Fields } from './field.js';

/** A notification as its user sees it. */
export interface ShownNotification {
  readonly kind: NotificationKind;
  readonly lastKey: bigint;
  readonly createdAtMs: number;
  readonly isRead: boolean;
  readonly postId?: PostId;
  /** The newest visible users, newest first. */
  readonly actorIds: readonly UserId[];
  readonly actorCount: number;
}

/** A notification (docs/api/pipit.md#notifications). */
export const notificationFields = {
  id: required(id, ({ lastKey }) => String(lastKey)),
  type: required(oneOf(...NOTIFICATION_KINDS), ({ kind }) => kind),
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  is_read: required(flag, ({ isRead }) => isRead),
  post_id: byDefault(id, ({ postId }) => (postId === undefined ? undefined : String(postId))),
  user_ids: required(listOf(id), ({ actorIds }) => actorIds.map(String)),
  user_count: required(count, ({ actorCount }) => actorCount),
} satisfies Fields<ShownNotification>;
