import type { Migration } from './migration.js';

/** Records which servers sent all their tallies before they ended. */
export const serversClosed: Migration = {
  version: 23,
  name: 'servers closed',
  statements: () => ['ALTER TABLE servers ADD COLUMN closed_at BIGINT'],
};
