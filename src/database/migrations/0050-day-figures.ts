import type { Migration } from './migration.js';

/** What the server counted for each day, so that the overview of operators counts nothing. */
export const dayFigures: Migration = {
  version: 50,
  name: 'day-figures',
  statements: (ddl) => [
    // day: days since 1970.
    `CREATE TABLE day_figures (
      day BIGINT NOT NULL,
      name TEXT NOT NULL,
      value BIGINT NOT NULL,
      counted_at BIGINT NOT NULL,
      PRIMARY KEY (day, name)
    )${ddl.clustered}`,
  ],
};
