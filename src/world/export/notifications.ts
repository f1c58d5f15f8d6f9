import type { Queryable } from '../../database/engine.js';
import {
  listAllNotifications,
  listAllReadPositions,
  type WholeNotification,
} from '../../stores/notifications.js';
import { entryOf, someOf, unless, type Entry } from './entry.js';
import type { Names } from './names.js';

/**
 * Returns the notifications of users who have some or have read some. Without any, returns an empty entry: a file
 * without this section gives the notifications that follow from its posts, likes and follows.
 */
export async function exportNotifications(
  db: Queryable,
  names: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const notifications = await listAllNotifications(db);
  const reads = await listAllReadPositions(db);
  const entries = names.users.flatMap(({ id, username }) => {
    const each = (notifications.get(id) ?? []).filter(
      ({ postId }) => postId === undefined || hasPost(postId),
    );
    const upTo = reads.get(id);
    if (each.length === 0 && upTo === undefined) return [];
    const readUpTo = upTo === undefined ? undefined : String(upTo);
    return [entryOf({ user: username, read_up_to: readUpTo, notifications: someOf(each.map(entryOfOne)) })];
  });
  return entries.length > 0 ? entries : names.users.slice(0, 1).map(({ username }) => ({ user: username }));
}

function entryOfOne({ kind, postId, firstKey, lastKey, openedAfter }: WholeNotification): Entry {
  const isOfPost = kind === 'mention' || kind === 'reply' || kind === 'quote';
  return entryOf({
    kind,
    post: postId === undefined ? undefined : String(postId),
    first: isOfPost ? undefined : String(firstKey),
    last: lastKey === firstKey ? undefined : String(lastKey),
    opened_after: unless(kind === 'follow_request' ? String(firstKey) : '0', String(openedAfter)),
  });
}
