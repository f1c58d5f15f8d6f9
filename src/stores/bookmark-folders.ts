import type { BookmarkFolderId, EdgeId, PostId, UserId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asText, sql } from '../database/sql.js';
import { defineTable, deleteBy, mapQuery, rowChange } from '../database/table.js';
import { edgeList, edgeWriter } from './edges.js';

/** A folder of a user's bookmarks. A post may be in several. */
export interface BookmarkFolder {
  readonly id: BookmarkFolderId;
  readonly userId: UserId;
  readonly name: string;
}

const FOLDERS = defineTable<BookmarkFolder, BookmarkFolderId>('bookmark_folders', 'id', {
  id: ['id', asId],
  userId: ['user_id', asId],
  name: ['name', asText],
});

export const findFolder = FOLDERS.find;
export const insertFolder = FOLDERS.insert;

/** Renames a folder of a user. Returns false if the user does not have it. */
export const renameFolder = rowChange<[name: string, id: BookmarkFolderId, userId: UserId]>(
  'UPDATE bookmark_folders SET name = ? WHERE id = ? AND user_id = ?',
);

/**
 * Locks a folder of a user until the transaction ends: it cannot be deleted meanwhile. Returns false if the user does
 * not have it.
 */
export const lockFolder = rowChange<[id: BookmarkFolderId, userId: UserId]>(
  'UPDATE bookmark_folders SET name = name WHERE id = ? AND user_id = ?',
);

const deleteFolderRow = deleteBy<BookmarkFolderId>('id', 'bookmark_folders');
const takeOutAll = deleteBy<BookmarkFolderId>('folder_id', 'folder_bookmarks');

/** Deletes a folder and takes its bookmarks out of it; they stay bookmarked. Callers must hold `lockFolder`. */
export async function deleteFolder(tx: Tx, id: BookmarkFolderId): Promise<void> {
  await takeOutAll(tx, id);
  await deleteFolderRow(tx, id);
}

/** Returns all folders of all users, oldest first. */
export function listFoldersOfAllUsers(db: Queryable): Promise<BookmarkFolder[]> {
  return FOLDERS.list(db, sql`1 = 1 ORDER BY id`);
}

/** Puts a bookmarked post of a user into a folder. Returns false if it is there. */
export const addToFolder = edgeWriter<BookmarkFolderId, PostId, [EdgeId, UserId]>([
  'folder_bookmarks',
  'folder_id',
  'post_id',
  'edge_id',
  'user_id',
]).insert;

/** Lists the posts of a folder, the last added first. */
export const listFolderPosts = edgeList<BookmarkFolderId, PostId>('folder_bookmarks', 'folder_id', 'post_id');

/** Returns the folders that hold bookmarks of the user, by post: of several, the one that it was put into last. */
export const findFoldersOfPosts = mapQuery<PostId, BookmarkFolderId, [UserId, readonly PostId[]]>(
  (row) => [asId(row.post_id), asId(row.folder_id)],
  'SELECT post_id, folder_id FROM folder_bookmarks WHERE user_id = ? AND post_id IN ? ORDER BY edge_id',
);

/** Lists the folders of a user, newest first. */
export function listFolders(
  db: Queryable,
  userId: UserId,
  request: PageRequest,
): Promise<Page<BookmarkFolder>> {
  return FOLDERS.page(db, sql`user_id = ${userId}`, request);
}
