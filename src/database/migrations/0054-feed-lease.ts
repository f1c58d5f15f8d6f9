import type { Migration } from './migration.js';

/** Lets a process that is alone answer without reading the feed of changes. Older builds wait for it too. */
export const feedLease: Migration = {
  version: 54,
  name: 'feed-lease',
  oldestBuild: 53,
  statements: (ddl) => ddl.changeFeed[54],
};
