import type { Migration } from './migration.js';

/** Which servers told all that they counted before they ended. */
export const serversClosed: Migration = {
  version: 23,
  name: 'servers closed',
  statements: () => ['ALTER TABLE servers ADD COLUMN closed_at BIGINT'],
};
