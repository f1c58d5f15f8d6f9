import type { Migration } from './migration.js';

/** Lets a build that sends the notifications of its entries do without the trigger, which older builds need. */
export const ownNotices: Migration = {
  version: 57,
  name: 'own-notices',
  oldestBuild: 56,
  statements: (ddl) => ddl.changeFeed[57],
};
