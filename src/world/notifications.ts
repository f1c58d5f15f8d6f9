import type { PostId } from '../core/ids.js';
import { NOTIFICATION_KINDS } from '../core/notification.js';
import * as v from '../core/validators.js';
import { deleteNotificationsOf, insertNotifications, moveReadPosition } from '../stores/notifications.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';

const notification = objectOf({
  kind: v.required(v.oneOf(NOTIFICATION_KINDS)),
  post: idOf<PostId>(),
  first: idOf<bigint>(),
  last: idOf<bigint>(),
  opened_after: idOf<bigint>(),
});
type WorldNotification = v.ValueOf<typeof notification>;

const notifications = objectOf({
  user: v.required(username),
  read_up_to: idOf<bigint>(),
  notifications: valuesOf(notification),
});
type WorldNotifications = v.ValueOf<typeof notifications>;

/** Reads the section of notifications and checks each entry alone. */
export const readNotifications = v.refined(listOf(notifications), (entries, _path, faults) => {
  for (const entry of entries.flatMap((each) => each.notifications ?? [])) checkKind(entry, faults);
  return entries;
});

const WITHOUT_POST: ReadonlySet<string> = new Set(['follow', 'follow_request']);
const OF_POSTS: ReadonlySet<string> = new Set(['mention', 'reply', 'quote']);

function checkKind({ kind, post, first, last, path }: WorldNotification, faults: v.FaultSink): void {
  if (WITHOUT_POST.has(kind)) {
    if (post !== undefined) faults.add(`${path}.post`, `does not go with ${kind}`);
  } else if (post === undefined) faults.report(`${path}.post`, { kind: 'missing' });
  if (OF_POSTS.has(kind)) {
    if (first !== undefined) faults.add(`${path}.first`, `does not go with ${kind}`);
  } else if (first === undefined) faults.report(`${path}.first`, { kind: 'missing' });
  if (first !== undefined && last !== undefined && last < first)
    faults.add(`${path}.last`, 'is smaller than first');
}

/** Checks that users and posts exist, and that no user has two of the same notification. */
export async function checkNotifications(
  entries: readonly WorldNotifications[],
  { known, faults }: Check,
): Promise<void> {
  requireUnique(entries, 'user', ({ user }) => user.toLowerCase(), faults);
  await known.requireUsers(referencesIn(entries, 'user'), faults);
  for (const { notifications: each = [] } of entries) {
    await known.requirePosts(referencesIn(each, 'post'), faults);
    const keyOf = (entry: WorldNotification) => {
      const { kind, postId, openedAfter } = asStored(entry);
      return `${kind} ${postId} ${openedAfter}`;
    };
    requireUnique(each, 'kind', keyOf, faults);
  }
}

function asStored({ kind, post, first, last, opened_after: openedAfter }: WorldNotification) {
  const firstKey = first ?? post ?? 0n;
  return {
    kind,
    postId: post,
    firstKey,
    lastKey: last ?? firstKey,
    openedAfter: openedAfter ?? (kind === 'follow_request' ? firstKey : 0n),
  };
}

/**
 * Stores the notifications of new users, which replace those that follow from the posts, likes and follows of the file.
 * Does nothing for a file that has none.
 */
export async function storeNotifications(
  entries: readonly WorldNotifications[],
  { tx, known, newUsers, added }: Load,
): Promise<void> {
  if (entries.length === 0) return;
  await deleteNotificationsOf(tx, [...newUsers]);
  for (const { user, read_up_to: upTo, notifications: each = [] } of entries) {
    const userId = known.userId(user);
    if (!newUsers.has(userId)) continue;
    if (upTo !== undefined) await moveReadPosition(tx, userId, upTo);
    await insertNotifications(tx, userId, each.map(asStored));
    added('notifications', each.length);
  }
}
