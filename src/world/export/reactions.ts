import type { BookmarkFolderId, PostId, UserId } from '../../core/ids.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Queryable } from '../../database/engine.js';
import { listFoldersOfAllUsers } from '../../stores/bookmark-folders.js';
import { listAllEdges } from '../../stores/whole-network.js';
import { entryOf, someOf, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns likes or bookmarks, oldest first. */
export async function exportReactions(
  db: Queryable,
  names: Names,
  hasPost: (id: bigint) => boolean,
  kind: 'likes' | 'bookmarks',
): Promise<Entry[]> {
  const edges = await listAllEdges<UserId, PostId>(db, kind);
  return edges.flatMap(({ from, to, id }) => {
    const user = names.find(from);
    if (user === undefined || !hasPost(to)) return [];
    const atMs = timeOfId(id);
    const at = atMs === undefined ? undefined : worldTimeOf(atMs);
    // Notifications name likes by id.
    return [entryOf({ user, post: String(to), ...(kind === 'likes' ? { id: String(id) } : { at }) })];
  });
}

/** Returns the folders of bookmarks, each with its posts, the last added last. */
export async function exportBookmarkFolders(
  db: Queryable,
  names: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const posts = new Map<BookmarkFolderId, string[]>();
  for (const { from, to } of await listAllEdges<BookmarkFolderId, PostId>(db, 'folder_bookmarks')) {
    if (hasPost(to)) posts.set(from, [...(posts.get(from) ?? []), String(to)]);
  }
  return (await listFoldersOfAllUsers(db)).flatMap(({ id, userId, name }) => {
    const user = names.find(userId);
    return user === undefined
      ? []
      : [entryOf({ id: String(id), user, name, posts: someOf(posts.get(id) ?? []) })];
  });
}
