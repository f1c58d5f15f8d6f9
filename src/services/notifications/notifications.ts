import type { UserPrincipal } from '../../core/access.js';
import type { UserId } from '../../core/ids.js';
import type { NotificationKind } from '../../core/notification.js';
import { EVERY_KEY, type Page, type PageRequest } from '../../core/page.js';
import type { Queryable } from '../../database/engine.js';
import { listFollowers, listFollowRequests } from '../../stores/follows.js';
import { listLikers } from '../../stores/likes.js';
import {
  countGrouped,
  deleteOldNotifications,
  findNewestKey,
  findReadPosition,
  listNotifications,
  moveReadPosition,
  type StoredNotification,
} from '../../stores/notifications.js';
import { listReposters } from '../../stores/post-links.js';
import type { ServiceDeps } from '../service-deps.js';

/** The newest users of a group that are read, to omit those that the user does not see. */
const MAX_ACTORS = 100;

/** The users of a group that are read first to count unread notifications. */
const FEW_ACTORS = 5;

/** The users of a group that are counted. */
const MAX_COUNTED = 1_000;

/** The read notifications that a user keeps. */
const KEPT = 1_000;

/** A notification with the users behind it. */
export interface Notification extends StoredNotification {
  readonly isRead: boolean;
  /** The newest users of a group, newest first; empty for notifications of posts. */
  readonly actorIds: readonly UserId[];
  /** The users of the group that `actorIds` lacks, up to a bound. */
  readonly otherActors: number;
}

export type NotificationService = ReturnType<typeof createNotificationService>;

/** Creates the service for notifications (docs/design/notifications.md). Lists are without visibility filtering. */
export function createNotificationService({ engine }: Pick<ServiceDeps, 'engine'>) {
  return {
    /** Lists the notifications of the user, newest first; no `kinds` are all. */
    list: async (
      userId: UserId,
      kinds: ReadonlySet<NotificationKind>,
      request: PageRequest,
    ): Promise<Page<Notification>> => {
      const page = await listNotifications(engine, userId, kinds, request);
      const readUpTo = await findReadPosition(engine, userId);
      const found = await actorsOf(engine, userId, page.items, MAX_ACTORS);
      const items = found.map(async (each) => ({
        ...each,
        isRead: each.lastKey <= readUpTo,
        otherActors: await countOthers(engine, userId, each),
      }));
      return { ...page, items: await Promise.all(items) };
    },
    /** Lists the unread ones, each with a few of its users and without counts. */
    listUnread: async (userId: UserId, request: PageRequest): Promise<Page<Notification>> => {
      const readUpTo = await findReadPosition(engine, userId);
      const page = await listNotifications(engine, userId, new Set(), request);
      const items = page.items.filter(({ lastKey }) => lastKey > readUpTo);
      const next = items.length < page.items.length ? undefined : page.next;
      return { items: await actorsOf(engine, userId, items, FEW_ACTORS), next };
    },
    /** Returns those of `listUnread` that have more users, with these. */
    withMoreActors: (userId: UserId, found: readonly Notification[]): Promise<Notification[]> =>
      actorsOf(
        engine,
        userId,
        found.filter(({ actorIds }) => actorIds.length === FEW_ACTORS),
        MAX_ACTORS,
      ),
    /** Marks all notifications up to this id as read. Idempotent; never unreads any. */
    markRead: async ({ userId }: UserPrincipal, upToId: bigint): Promise<void> => {
      // An id above every notification must not mark future ones.
      const upTo = await findNewestKey(engine, userId, upToId);
      if (upTo === undefined || upTo <= (await findReadPosition(engine, userId))) return;
      await engine.tx(
        'read notifications',
        async (tx) => {
          await moveReadPosition(tx, userId, upTo);
          await deleteOldNotifications(tx, userId, KEPT);
        },
        'read-committed',
      );
    },
  };
}

/** Returns unread notifications with up to `most` of their users. */
function actorsOf(
  db: Queryable,
  userId: UserId,
  found: readonly StoredNotification[],
  most: number,
): Promise<Notification[]> {
  return Promise.all(
    found.map(async (stored) => {
      const actorIds = await listActors(db, userId, stored, most);
      return { ...stored, isRead: false, actorIds, otherActors: 0 };
    }),
  );
}

/** Returns how many users a group has, up to a bound, beside those that were read. */
async function countOthers(
  db: Queryable,
  userId: UserId,
  { actorIds, ...stored }: Notification,
): Promise<number> {
  if (actorIds.length < MAX_ACTORS) return 0;
  return Math.max(0, (await countGrouped(db, userId, stored, MAX_COUNTED)) - MAX_ACTORS);
}

/** Returns up to `most` users of a group, newest first. */
async function listActors(
  db: Queryable,
  userId: UserId,
  { kind, postId, firstKey, lastKey }: StoredNotification,
  most: number,
): Promise<readonly UserId[]> {
  const request = { limit: most };
  const range = { window: { ...EVERY_KEY, above: firstKey - 1n, upTo: lastKey } };
  switch (kind) {
    case 'like':
      return postId === undefined ? [] : (await listLikers(db, postId, request, range)).items;
    case 'repost':
      return postId === undefined ? [] : (await listReposters(db, postId, request, range)).items;
    case 'follow':
      return (await listFollowers(db, userId, request, range)).items;
    case 'follow_request':
      return (await listFollowRequests(db, userId, request, range)).items;
    case 'mention':
    case 'reply':
    case 'quote':
      return [];
  }
}
