import type { SchemaDialect } from '../migrate.js';
import { asText, rawSql, sql } from '../sql.js';
import { LASTING_FEED_DDL } from './change-feed.js';
import { FEED_LEASE_DDL } from './feed-lease.js';
import { FEED_NOTICES_DDL, OWN_NOTICES_DDL } from './feed-notices.js';
import { POSTGRES_SEARCH_DDL } from './search.js';

/** Any fixed number works; this is "pipit" in ASCII. */
const MIGRATION_LOCK = 0x7069706974n;

/** How long a step waits for a table that others use before the migration is tried again. */
const TABLE_WAIT_MS = 1_000;

/** The schema dialect of PostgreSQL. */
export const postgresDialect: SchemaDialect = {
  ddl: {
    idKey: 'BIGINT PRIMARY KEY',
    binaryText: 'TEXT COLLATE "C"',
    clustered: '',
    searchIndex: POSTGRES_SEARCH_DDL,
    searchReset: [],
    changeFeed: { 33: LASTING_FEED_DDL, 54: FEED_LEASE_DDL, 55: FEED_NOTICES_DDL, 57: OWN_NOTICES_DDL },
  },
  tableNames: async (db) => {
    const rows = await db.all(
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    return rows.map((row) => asText(row['name']));
  },
  lock: async (tx) => {
    // Steps on large tables take long, and so does waiting for another process that runs them.
    await tx.run(sql`SET LOCAL lock_timeout = 0`);
    await tx.run(sql`SET LOCAL statement_timeout = 0`);
    await tx.run(sql`SELECT pg_advisory_xact_lock(CAST(${MIGRATION_LOCK} AS BIGINT))`);
    // A step that waits for a table, such as behind a dump, makes all later requests for the table wait behind it.
    await tx.run(rawSql(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`));
  },
};
