import type { Migration } from './migration.js';

/** Folders of bookmarks. The user is on each bookmark of a folder too, to remove a bookmark from all folders. */
export const bookmarkFolders: Migration = {
  version: 31,
  name: 'bookmark-folders',
  statements: (ddl) => [
    `CREATE TABLE bookmark_folders (
      id ${ddl.idKey},
      user_id BIGINT NOT NULL,
      name TEXT NOT NULL
    )`,
    'CREATE INDEX bookmark_folders_by_user ON bookmark_folders (user_id, id)',
    `CREATE TABLE folder_bookmarks (
      folder_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (folder_id, post_id)
    )${ddl.clustered}`,
    'CREATE INDEX folder_bookmarks_by_edge ON folder_bookmarks (folder_id, edge_id)',
    'CREATE INDEX folder_bookmarks_by_user ON folder_bookmarks (user_id, post_id)',
  ],
};
