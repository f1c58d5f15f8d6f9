import { date, flag, id, listOf, oneOf, schemaOf } from '../../core/json-schema.js';
import type { PostId, UserId } from '../../core/ids.js';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../core/notification.js';
import { timeOfId } from '../../core/snowflake.js';
import { presentDate } from '../present/dates.js';
import { byDefault, required, type Fields } from './field.js';

/** Notifications of one kind for one post, or follows. */
export interface NotificationGroup {
  /** The newest one. */
  readonly id: bigint;
  readonly kind: NotificationKind;
  readonly isRead: boolean;
  readonly postId?: PostId;
  /** The newest first, each once. */
  readonly userIds: readonly UserId[];
}

/** Notifications as their user sees them (docs/api/pipit.md#notifications). */
export const notificationFields = {
  id: required(id, (group) => String(group.id)),
  type: required(oneOf(...NOTIFICATION_KINDS), ({ kind }) => kind),
  created_at: required(date, (group) => presentDate(timeOfId(group.id) ?? 0)),
  is_read: required(flag, ({ isRead }) => isRead),
  post_id: byDefault(id, ({ postId }) => postId?.toString()),
  user_ids: required(listOf(id), ({ userIds }) => userIds.map(String)),
  user_count: required(schemaOf('integer', { minimum: 1 }), ({ userIds }) => userIds.length),
} satisfies Fields<NotificationGroup>;
