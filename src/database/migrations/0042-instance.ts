import type { Migration } from './migration.js';

/** What the operators say about their server; one row with the id 1, or none. */
export const instance: Migration = {
  version: 42,
  name: 'instance',
  statements: (ddl) => [
    // logo: base64.
    `CREATE TABLE instance (
      id ${ddl.idKey},
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      logo TEXT,
      logo_type TEXT,
      logo_tag TEXT
    )`,
  ],
};
