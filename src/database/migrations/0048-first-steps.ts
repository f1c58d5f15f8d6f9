import type { Migration } from './migration.js';

/** The users who do not want to see their first steps any more. */
export const firstSteps: Migration = {
  version: 48,
  name: 'first-steps',
  statements: (ddl) => [
    `CREATE TABLE dismissed_first_steps (
      user_id ${ddl.idKey},
      dismissed_at BIGINT NOT NULL
    )`,
  ],
};
