import type { Migration } from './migration.js';

/** The servers that count requests on this database, and the tallies that they exchanged. */
export const servers: Migration = {
  version: 17,
  name: 'servers',
  statements: (ddl) => [
    `CREATE TABLE servers (
      id ${ddl.idKey},
      crew TEXT NOT NULL,
      seen_at BIGINT NOT NULL,
      last_tally BIGINT NOT NULL
    )`,
    `CREATE TABLE server_tallies (
      server_id BIGINT NOT NULL,
      number BIGINT NOT NULL,
      told_at BIGINT NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (server_id, number)
    )${ddl.clustered}`,
    'CREATE INDEX server_tallies_told ON server_tallies (told_at)',
  ],
};
