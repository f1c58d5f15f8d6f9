import type { Migration } from './migration.js';

/** Notifies other processes of the keys that a commit has changed. Entries of older builds are notified too. */
export const feedNotices: Migration = {
  version: 55,
  name: 'feed-notices',
  oldestBuild: 54,
  statements: (ddl) => ddl.changeFeed[55],
};
