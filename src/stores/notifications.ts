import type { EdgeId, PostId, UserId } from '../core/ids.js';
import type { NotificationKind } from '../core/notification.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { asId, asNumber, rawSql, sql } from '../database/sql.js';
import {
  countQuery,
  existsQuery,
  groupQuery,
  insertRows,
  pageQuery,
  rowsChange,
  valueQuery,
} from '../database/table.js';

/**
 * Notifications, one row each: of a post, or of a group of likes, reposts or follows. A group stores no users: it is the
 * edges whose keys are in its range, so that undone ones are not in it.
 */
export interface StoredNotification {
  readonly kind: NotificationKind;
  /** The post that mentions, replies or quotes, or the post that was liked or reposted. */
  readonly postId?: PostId;
  readonly firstKey: bigint;
  /** Identifies and orders the notifications of a user. */
  readonly lastKey: bigint;
}

/** The stored number of each kind. */
const NUMBERS: Readonly<Record<NotificationKind, number>> = {
  mention: 1,
  reply: 2,
  quote: 3,
  like: 4,
  repost: 5,
  follow: 6,
  follow_request: 7,
};
const KINDS = Object.keys(NUMBERS) as NotificationKind[];
const NO_POST = 0n;

const insertNew = insertRows(
  'INSERT INTO notifications (user_id, post_id, kind, opened_after, first_key, last_key)',
  6,
  'ON CONFLICT DO NOTHING',
);

/** A notification with the position up to which the user had read when it began. */
export interface WholeNotification extends StoredNotification {
  readonly openedAfter: bigint;
}

/** Stores notifications of a user as they are. */
export function insertNotifications(
  tx: Tx,
  userId: UserId,
  notifications: readonly WholeNotification[],
): Promise<void> {
  const rows = notifications.map(({ kind, postId, openedAfter, firstKey, lastKey }) => [
    userId,
    postId ?? NO_POST,
    NUMBERS[kind],
    openedAfter,
    firstKey,
    lastKey,
  ]);
  return insertNew(tx, rows);
}

/** Deletes all notifications of users. */
export const deleteNotificationsOf = rowsChange<[users: readonly UserId[]]>(
  'DELETE FROM notifications WHERE user_id IN ?',
);

/** Returns the notifications of all users, oldest first. */
export const listAllNotifications = groupQuery<UserId, WholeNotification, []>(
  (row) => [asId(row.user_id), { ...decode(row), openedAfter: asId(row.opened_after) }],
  `SELECT user_id, post_id, kind, opened_after, first_key, last_key FROM notifications
  ORDER BY user_id, last_key, post_id, kind`,
);

/** Returns the positions up to which users have read. */
export async function listAllReadPositions(db: Queryable): Promise<Map<UserId, bigint>> {
  const rows = await db.all(sql`SELECT user_id, up_to FROM notification_reads`);
  return new Map(rows.map((row) => [asId<UserId>(row.user_id), asId<bigint>(row.up_to)]));
}

/** Notifies users of a post: of each the first time only. */
export function insertPostNotifications(
  tx: Tx,
  postId: PostId,
  recipients: ReadonlyMap<UserId, 'mention' | 'reply' | 'quote'>,
): Promise<void> {
  const rows = [...recipients].map(([userId, kind]) => [userId, postId, NUMBERS[kind], 0n, postId, postId]);
  for (const userId of recipients.keys()) tx.emit({ kind: 'unread-changed', userId });
  return insertNew(tx, rows);
}

/** Notifies a user of a follow request. */
export function insertRequestNotification(tx: Tx, userId: UserId, key: EdgeId): Promise<void> {
  tx.emit({ kind: 'unread-changed', userId });
  return insertNew(tx, [[userId, NO_POST, NUMBERS.follow_request, key, key, key]]);
}

/** An event that joins the unread notification of its kind, and of its post. */
export interface GroupedEvent {
  readonly userId: UserId;
  readonly kind: 'like' | 'repost' | 'follow';
  readonly postId?: PostId;
  readonly key: bigint;
}

/** Adds an event to the group that began after the position read, or begins that group. */
export async function addToNotification(tx: Tx, { userId, kind, postId, key }: GroupedEvent): Promise<void> {
  tx.emit({ kind: 'unread-changed', userId });
  await tx.run(sql`
    INSERT INTO notifications (user_id, post_id, kind, opened_after, first_key, last_key)
    SELECT ${userId}, ${postId ?? NO_POST}, ${NUMBERS[kind]},
      COALESCE((SELECT up_to FROM notification_reads WHERE user_id = ${userId}), 0), ${key}, ${key}
    WHERE true
    ON CONFLICT (user_id, post_id, kind, opened_after) DO UPDATE SET
      first_key = CASE WHEN excluded.first_key < notifications.first_key
        THEN excluded.first_key ELSE notifications.first_key END,
      last_key = CASE WHEN excluded.last_key > notifications.last_key
        THEN excluded.last_key ELSE notifications.last_key END`);
}

/** Deletes what users were notified of about a post: `users` are its author and those it mentions, answers or quotes. */
export const deleteNotificationsOfPost = rowsChange<[PostId, users: readonly UserId[]]>(
  'DELETE FROM notifications WHERE post_id = ? AND user_id IN ?',
);

/** Deletes the notifications of users that a post mentioned. */
export const deleteMentionNotifications = rowsChange<[PostId, users: readonly UserId[]]>(
  `DELETE FROM notifications WHERE post_id = ? AND user_id IN ? AND kind = ${NUMBERS.mention}`,
);

/** Deletes the notifications of likes of a post, or of its reposts, of which none is left. */
export async function deleteEmptyOfPost(tx: Tx, kind: 'like' | 'repost', postId: PostId): Promise<void> {
  const post = await tx.get(sql`SELECT author_id FROM posts WHERE id = ${postId}`);
  if (post) await deleteEmpty(tx, asId(post.author_id), { kind, postId });
}

/** Deletes the notifications of follows, or of requests, of which none is left. */
export function deleteEmptyOfUser(tx: Tx, kind: 'follow' | 'follow_request', userId: UserId): Promise<void> {
  return deleteEmpty(tx, userId, { kind });
}

/** The edges behind the notifications of a kind: table, column of the owner, column of the key. */
const EDGES = {
  like: ['likes', 'post_id', 'edge_id'],
  repost: ['reposts', 'post_id', 'repost_id'],
  follow: ['followers', 'user_id', 'edge_id'],
  follow_request: ['follow_requests', 'target_id', 'edge_id'],
} as const;

/**
 * The edges are not stored where the notifications are, so no statement reads both. A group that an event joins
 * meanwhile has another last key, and stays.
 */
async function deleteEmpty(
  tx: Tx,
  userId: UserId,
  { kind, postId }: { readonly kind: keyof typeof EDGES; readonly postId?: PostId },
): Promise<void> {
  const isGroup = sql`user_id = ${userId} AND post_id = ${postId ?? NO_POST} AND kind = ${NUMBERS[kind]}`;
  for (const row of await tx.all(
    sql`SELECT post_id, kind, first_key, last_key FROM notifications WHERE ${isGroup}`,
  )) {
    const group = decode(row);
    if ((await countGrouped(tx, userId, group, 1)) > 0) continue;
    await tx.run(sql`
      DELETE FROM notifications WHERE ${isGroup}
        AND first_key = ${group.firstKey} AND last_key = ${group.lastKey}`);
  }
}

const COUNTED = Object.fromEntries(
  Object.entries(EDGES).map(([kind, [table, owner, key]]) => [
    kind,
    countQuery<[ownerId: bigint, from: bigint, to: bigint, limit: number]>(
      `(SELECT 1 FROM ${table} WHERE ${owner} = ? AND ${key} >= ? AND ${key} <= ? LIMIT ?) capped`,
    ),
  ]),
) as Record<keyof typeof EDGES, ReturnType<typeof countQuery<[bigint, bigint, bigint, number]>>>;

/** Counts the events of a group, up to `limit`. */
export async function countGrouped(
  db: Queryable,
  userId: UserId,
  { kind, postId, firstKey, lastKey }: StoredNotification,
  limit: number,
): Promise<number> {
  if (!(kind in EDGES)) return 1;
  return COUNTED[kind as keyof typeof EDGES](db, postId ?? userId, firstKey, lastKey, limit);
}

/** Reports whether a stored notification is about a deleted post, or about events of which none is left. */
export async function isEmptyNotification(db: Queryable, userId: UserId, row: Row): Promise<boolean> {
  const notification = decode(row);
  const { postId } = notification;
  if (postId !== undefined && !(await hasPost(db, postId))) return true;
  return (await countGrouped(db, userId, notification, 1)) === 0;
}

const hasPost = existsQuery<[PostId]>('SELECT 1 FROM posts WHERE id = ?');

/** Lists the notifications of a user, newest first, of some kinds or of all. */
export function listNotifications(
  db: Queryable,
  userId: UserId,
  kinds: ReadonlySet<NotificationKind>,
  request: PageRequest,
): Promise<Page<StoredNotification>> {
  const listed = kinds.size === 0 ? KINDS : [...kinds];
  const numbers = listed.map((kind) => BigInt(NUMBERS[kind]));
  return LISTED(db, [userId, numbers], request);
}

const LISTED = pageQuery<StoredNotification, [UserId, kinds: readonly bigint[]]>(
  `SELECT post_id, kind, first_key, last_key FROM notifications WHERE user_id = ? AND kind IN ?`,
  'last_key',
  decode,
);

function decode(row: Row): StoredNotification {
  const postId = asId<PostId>(row.post_id);
  return {
    kind: KINDS[asNumber(row.kind) - 1] ?? 'mention',
    postId: postId === NO_POST ? undefined : postId,
    firstKey: asId(row.first_key),
    lastKey: asId(row.last_key),
  };
}

/** Returns the position up to which the user has read; 0 if nothing is read. */
export async function findReadPosition(db: Queryable, userId: UserId): Promise<bigint> {
  const row = await db.get(sql`SELECT up_to FROM notification_reads WHERE user_id = ${userId}`);
  return row ? asId(row.up_to) : 0n;
}

/** Returns the key of the newest notification of the user that is not above a position. */
export const findNewestKey = valueQuery<bigint, [userId: UserId, upTo: bigint]>(
  asId,
  'SELECT last_key FROM notifications WHERE user_id = ? AND last_key <= ? ORDER BY last_key DESC LIMIT 1',
);

/** Moves the position read forward. Groups above it stay open. */
export async function moveReadPosition(tx: Tx, userId: UserId, upTo: bigint): Promise<void> {
  const moved = await tx.run(sql`
    INSERT INTO notification_reads (user_id, up_to) VALUES (${userId}, ${upTo})
    ON CONFLICT (user_id) DO UPDATE SET up_to = excluded.up_to
    WHERE excluded.up_to > notification_reads.up_to`);
  if (moved === 0) return;
  tx.emit({ kind: 'unread-changed', userId });
  const grouped = [NUMBERS.like, NUMBERS.repost, NUMBERS.follow].join();
  await tx.run(sql`
    UPDATE notifications SET opened_after = ${upTo}
    WHERE user_id = ${userId} AND last_key > ${upTo} AND kind IN (${rawSql(grouped)})`);
}

/** Deletes the read notifications of a user behind the newest `kept` ones. */
export async function deleteOldNotifications(tx: Tx, userId: UserId, kept: number): Promise<void> {
  await tx.run(sql`
    DELETE FROM notifications WHERE user_id = ${userId}
      AND last_key <= (SELECT up_to FROM notification_reads WHERE user_id = ${userId})
      AND last_key <= (SELECT last_key FROM notifications WHERE user_id = ${userId}
        ORDER BY last_key DESC LIMIT 1 OFFSET ${kept})`);
}
