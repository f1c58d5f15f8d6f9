import { asText } from '../decode.js';
import type { SchemaDialect } from '../migrate.js';
import { sql } from '../sql.js';
import { POSTGRES_SEARCH_DDL } from './search.js';

/** Any number will do as long as every Pipit takes the same: "pipit" in ASCII. */
const MIGRATION_LOCK = 0x7069706974n;

/** How PostgreSQL spells and looks up a schema. */
export const postgresDialect: SchemaDialect = {
  ddl: { idKey: 'BIGINT PRIMARY KEY', clustered: '', searchIndex: POSTGRES_SEARCH_DDL, searchAnew: [] },
  tableNames: async (db) => {
    const rows = await db.all(
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    return rows.map((row) => asText(row['name']));
  },
  lock: async (tx) => {
    // Steps on large tables take their time, and so does waiting for who takes them.
    await tx.run(sql`SET LOCAL lock_timeout = 0`);
    await tx.run(sql`SET LOCAL statement_timeout = 0`);
    await tx.run(sql`SELECT pg_advisory_xact_lock(CAST(${MIGRATION_LOCK} AS BIGINT))`);
  },
};
