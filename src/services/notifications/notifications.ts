import type { NotificationId, UserId } from '../../core/ids.js';
import type { ListedNotification } from '../../core/notification.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import {
  countNotifications,
  findReadUpTo,
  listNotifications,
  markReadUpTo,
  trimNotifications,
} from '../../stores/notifications.js';

/** More unread notifications than this count as this many. */
const MAX_UNREAD = 100;

/** Older notifications are deleted when their user reads. */
const KEPT = 2_000;

export type NotificationService = ReturnType<typeof createNotificationService>;

/** Creates the service for what concerns a user (docs/api/pipit.md#notifications). */
export function createNotificationService({ engine }: { readonly engine: Engine }) {
  const countUnread = async (userId: UserId): Promise<number> => {
    const above = await findReadUpTo(engine, userId);
    return countNotifications(engine, userId, { above, limit: MAX_UNREAD });
  };
  return {
    /** Lists notifications, newest first, without those that were undone, deleted, or come from blocked or muted users. */
    list: async (userId: UserId, request: PageRequest): Promise<Page<ListedNotification>> => {
      const [page, upTo] = await Promise.all([
        listNotifications(engine, userId, request),
        findReadUpTo(engine, userId),
      ]);
      return { ...page, items: page.items.map((each) => ({ ...each, isRead: each.id <= upTo })) };
    },
    /** Counts unread notifications, up to `MAX_UNREAD`. */
    countUnread,
    /** Marks the notifications up to an id as read. Returns how many are unread. */
    read: async (userId: UserId, id: NotificationId): Promise<number> => {
      await engine.tx('read notifications', async (tx) => {
        await markReadUpTo(tx, userId, id);
        await trimNotifications(tx, userId, KEPT);
      });
      return countUnread(userId);
    },
  };
}
