import type { Migration } from './migration.js';

/**
 * What all servers of a database have in common, and the oldest build that may serve the database: what each step of
 * the schema says, as the builds before it do not know the step.
 */
export const sharedFacts: Migration = {
  version: 51,
  name: 'shared-facts',
  statements: (ddl) => [
    `CREATE TABLE shared_facts (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    )${ddl.clustered}`,
    // The schema version of the oldest build that may serve a database with this step; without it, its own.
    'ALTER TABLE pipit_migrations ADD COLUMN oldest_build INTEGER',
  ],
};
