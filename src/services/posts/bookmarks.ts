import type { UserPrincipal } from '../../core/access.js';
import { resourceNotFound, type PipitError } from '../../core/errors.js';
import type { BookmarkFolderId, EdgeId, PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type PageRequest } from '../../core/page.js';
import type { Queryable, Tx } from '../../database/engine.js';
import {
  addToFolder,
  deleteFolder,
  findFolder,
  insertFolder,
  listFolderPosts,
  listFolders,
  lockFolder,
  renameFolder,
  type BookmarkFolder,
} from '../../stores/bookmark-folders.js';
import { deleteBookmark, findBookmarkKey, insertBookmark, listBookmarks } from '../../stores/bookmarks.js';
import type { ServiceDeps } from '../service-deps.js';
import { countedEdges } from './counted-edges.js';

/** The number of bookmarks that listing can reach (docs/api/limits.md#sizes). */
const MAX_REACHABLE = 800;

export type BookmarkService = ReturnType<typeof createBookmarkService>;

/** Creates the service for bookmarks and their folders (docs/api/timelines.md#likes-and-bookmarks). */
export function createBookmarkService(deps: Pick<ServiceDeps, 'engine' | 'ids'>) {
  const { engine, ids } = deps;
  const edges = countedEdges(deps, {
    name: 'bookmark',
    count: 'bookmarks',
    insert: insertBookmark,
    delete: deleteBookmark,
  });
  const add = async (tx: Tx, userId: UserId, id: PostId, folderId?: BookmarkFolderId): Promise<void> => {
    const postId = await edges.add(tx, userId, id);
    if (folderId === undefined) return;
    if (!(await lockFolder(tx, folderId, userId))) throw noSuchFolder('folder_id', folderId);
    await addToFolder(tx, folderId, postId, ids.next<EdgeId>(), userId);
  };
  return {
    /**
     * Bookmarks a post, and puts it into a folder. Idempotent: keeps an existing bookmark. Throws 'resource-not-found'
     * for an unknown post or folder, and 'forbidden' for a post that the user may not see.
     */
    add: ({ userId }: UserPrincipal, id: PostId, folderId?: BookmarkFolderId) =>
      engine.tx('bookmark', (tx) => add(tx, userId, id, folderId), 'read-committed'),
    /** Removes a bookmark, also from all folders. Idempotent, also for an unknown post. */
    remove: ({ userId }: UserPrincipal, id: PostId) =>
      engine.tx('remove bookmark', (tx) => edges.remove(tx, userId, id), 'read-committed'),
    /**
     * Lists the newest 800 bookmarks of the user, without visibility filtering. The first page fixes the limit;
     * bookmarks of deleted posts do not count towards it.
     */
    list: async (userId: UserId, request: PageRequest) => {
      const oldest = request.cursor
        ? request.cursor.extra[0]
        : await findBookmarkKey(engine, userId, MAX_REACHABLE - 1);
      if (oldest === undefined) return listBookmarks(engine, userId, request);
      const window = { ...EVERY_KEY, above: oldest - 1n };
      return listBookmarks(engine, userId, request, { window, extra: [oldest] });
    },
    createFolder: async ({ userId }: UserPrincipal, name: string): Promise<BookmarkFolder> => {
      const folder = { id: ids.next<BookmarkFolderId>(), userId, name };
      await engine.tx('create bookmark folder', (tx) => insertFolder(tx, folder), 'read-committed');
      return folder;
    },
    /** Returns a folder. Throws 'resource-not-found' for one that the user does not have. */
    getFolder: ({ userId }: UserPrincipal, id: BookmarkFolderId) => requireFolder(engine, userId, id, 'id'),
    /** Renames a folder and returns it. Throws as `getFolder` does. */
    renameFolder: ({ userId }: UserPrincipal, id: BookmarkFolderId, name: string): Promise<BookmarkFolder> =>
      engine.tx(
        'rename bookmark folder',
        async (tx) => {
          if (!(await renameFolder(tx, name, id, userId))) throw noSuchFolder('id', id);
          return { id, userId, name };
        },
        'read-committed',
      ),
    /** Deletes a folder; the posts in it stay bookmarked. Idempotent, also for a folder of another user. */
    deleteFolder: ({ userId }: UserPrincipal, id: BookmarkFolderId) =>
      engine.tx(
        'delete bookmark folder',
        async (tx) => {
          if (await lockFolder(tx, id, userId)) await deleteFolder(tx, id);
        },
        'read-committed',
      ),
    /** Lists the user's folders, newest first. */
    listFolders: (userId: UserId, request: PageRequest) => listFolders(engine, userId, request),
    /**
     * Lists the posts of a folder, the last added first, without visibility filtering. Throws 'resource-not-found' for
     * a folder that the user does not have.
     */
    listFolder: async (userId: UserId, folderId: BookmarkFolderId, request: PageRequest) => {
      await requireFolder(engine, userId, folderId);
      return listFolderPosts(engine, folderId, request);
    },
  };
}

async function requireFolder(
  db: Queryable,
  userId: UserId,
  id: BookmarkFolderId,
  parameter = 'folder_id',
): Promise<BookmarkFolder> {
  const folder = await findFolder(db, id);
  if (folder?.userId !== userId) throw noSuchFolder(parameter, id);
  return folder;
}

function noSuchFolder(parameter: string, id: BookmarkFolderId): PipitError {
  return resourceNotFound({ resourceType: 'bookmark_folder', parameter, value: String(id) });
}
