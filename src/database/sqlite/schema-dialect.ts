import { asText } from '../decode.js';
import type { SchemaDialect } from '../migrate.js';
import { sql } from '../sql.js';
import { SQLITE_SEARCH_ANEW, SQLITE_SEARCH_DDL } from './search.js';

/** How SQLite spells and looks up a schema. */
export const sqliteDialect: SchemaDialect = {
  ddl: {
    idKey: 'INTEGER PRIMARY KEY',
    clustered: ' WITHOUT ROWID',
    searchIndex: SQLITE_SEARCH_DDL,
    searchAnew: SQLITE_SEARCH_ANEW,
  },
  tableNames: async (db) => {
    const rows = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
    return rows.map((row) => asText(row['name']));
  },
  // BEGIN IMMEDIATE has locked out every other writer already.
  lock: () => Promise.resolve(),
};
