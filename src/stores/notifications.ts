import type { NotificationId, PostId, UserId } from '../core/ids.js';
import { NOTIFICATION_KINDS, type Notification } from '../core/notification.js';
import { isBackward, keysOf, mapPage, pageOf, type Page, type PageRequest } from '../core/page.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { asId, asNumber, inBothOrders, sql } from '../database/sql.js';
import { rowChange, valueQuery } from '../database/table.js';

const insertRow = rowChange<[UserId, NotificationId, kind: number, UserId, PostId | bigint]>(
  `INSERT INTO notifications (user_id, id, kind, actor_id, post_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
);

/** Stores a notification. */
export async function insertNotification(tx: Tx, notification: Notification): Promise<void> {
  const { userId, id, kind, actorId, postId = NO_POST } = notification;
  await insertRow(tx, userId, id, NOTIFICATION_KINDS.indexOf(kind), actorId, postId);
}

const NO_POST = 0n;

/**
 * The rows that still hold: what they tell was not undone or deleted, and the user has neither blocked nor muted the
 * other. So nothing has to find and delete rows when one of these changes.
 */
const HOLDING = `n.user_id = ?
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = n.user_id AND b.target_id = n.actor_id)
  AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.user_id = n.user_id AND m.target_id = n.actor_id)
  AND CASE n.kind
    WHEN 3 THEN EXISTS (SELECT 1 FROM liked_posts l WHERE l.user_id = n.actor_id AND l.post_id = n.post_id)
    WHEN 4 THEN EXISTS (SELECT 1 FROM reposts r WHERE r.post_id = n.post_id AND r.user_id = n.actor_id)
    WHEN 5 THEN EXISTS (SELECT 1 FROM follows f WHERE f.user_id = n.actor_id AND f.target_id = n.user_id)
    WHEN 6 THEN EXISTS (
      SELECT 1 FROM follow_requests q WHERE q.target_id = n.user_id AND q.user_id = n.actor_id)
    ELSE EXISTS (SELECT 1 FROM posts p WHERE p.id = n.post_id)
  END`;

const LISTED = inBothOrders(
  (direction) => `SELECT n.id, n.kind, n.actor_id, n.post_id FROM notifications n
    WHERE ${HOLDING} AND n.id > ? AND n.id <= ? ORDER BY n.id ${direction} LIMIT ?`,
);

/** Lists the notifications of a user that still hold, newest first. */
export async function listNotifications(
  db: Queryable,
  userId: UserId,
  request: PageRequest,
): Promise<Page<Notification>> {
  const { above, upTo } = keysOf(request);
  const query = LISTED[isBackward(request) ? 'oldest' : 'newest'];
  const rows = await db.all(query(userId, above, upTo, request.limit + 1));
  const page = pageOf(rows, request, (row) => asId(row.id));
  return mapPage(page, (row) => decode(userId, row));
}

function decode(userId: UserId, row: Row): Notification {
  const postId = asId<PostId>(row.post_id);
  return {
    userId,
    id: asId<NotificationId>(row.id),
    kind: NOTIFICATION_KINDS[asNumber(row.kind)] ?? 'mention',
    actorId: asId<UserId>(row.actor_id),
    ...(postId !== NO_POST && { postId }),
  };
}

const countUpTo = valueQuery<number, [UserId, NotificationId, limit: number]>(
  asNumber,
  `SELECT COUNT(*) FROM (SELECT 1 FROM notifications n WHERE ${HOLDING} AND n.id > ? LIMIT ?) found`,
);

/** Counts the notifications above an id, at most up to `limit`. */
export async function countNotifications(
  db: Queryable,
  userId: UserId,
  { above, limit }: { readonly above: NotificationId; readonly limit: number },
): Promise<number> {
  return (await countUpTo(db, userId, above, limit)) ?? 0;
}

const readUpTo = valueQuery<NotificationId, [UserId]>(
  asId,
  'SELECT read_up_to FROM notification_reads WHERE user_id = ?',
);

/** Returns the newest notification that the user has read; 0 for none. */
export async function findReadUpTo(db: Queryable, userId: UserId): Promise<NotificationId> {
  return (await readUpTo(db, userId)) ?? (0n as NotificationId);
}

/** Marks the notifications up to an id as read. An older id than the last one changes nothing. */
export async function markReadUpTo(tx: Tx, userId: UserId, id: NotificationId): Promise<void> {
  await tx.run(sql`
    INSERT INTO notification_reads (user_id, read_up_to) VALUES (${userId}, ${id})
    ON CONFLICT (user_id) DO UPDATE SET read_up_to = excluded.read_up_to
    WHERE notification_reads.read_up_to < excluded.read_up_to`);
}

/** Deletes the notifications of a user below the newest `kept`. */
export async function trimNotifications(tx: Tx, userId: UserId, kept: number): Promise<void> {
  await tx.run(sql`
    DELETE FROM notifications WHERE user_id = ${userId} AND id <= (
      SELECT id FROM notifications WHERE user_id = ${userId} ORDER BY id DESC LIMIT 1 OFFSET ${kept})`);
}
