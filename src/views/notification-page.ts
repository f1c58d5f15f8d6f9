import type { UserId } from '../core/ids.js';
import type { ListedNotification, NotificationKind } from '../core/notification.js';
import type { WireObject } from '../core/wire-json.js';
import { notificationFields, type NotificationGroup } from './wire/notification.js';
import { presenter } from './wire/presenter.js';

const present = presenter(notificationFields, new Set());

/** The kinds of which several are one group: likes and reposts of a post, and follows. */
const GROUPED: ReadonlySet<NotificationKind> = new Set(['like', 'repost', 'follow']);

/** Returns a page of notifications, newest first; those of a group that are equally read are one. */
export function viewNotifications(items: readonly ListedNotification[]): {
  readonly data: readonly WireObject[] | undefined;
} {
  const groups = new Map<string, NotificationGroup & { readonly userIds: UserId[] }>();
  for (const { id, kind, actorId, postId, isRead } of items) {
    const key = GROUPED.has(kind) ? `${kind} ${postId} ${isRead}` : String(id);
    const group = groups.get(key);
    if (!group) groups.set(key, { id, kind, isRead, postId, userIds: [actorId] });
    else if (!group.userIds.includes(actorId)) group.userIds.push(actorId);
  }
  return { data: groups.size === 0 ? undefined : [...groups.values()].map((group) => present(group)) };
}
