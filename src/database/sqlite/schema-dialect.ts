import type { SchemaDialect } from '../migrate.js';
import { asText, sql } from '../sql.js';
import { SQLITE_SEARCH_RESET, SQLITE_SEARCH_DDL } from './search.js';

/** The schema dialect of SQLite. */
export const sqliteDialect: SchemaDialect = {
  ddl: {
    idKey: 'INTEGER PRIMARY KEY',
    clustered: ' WITHOUT ROWID',
    searchIndex: SQLITE_SEARCH_DDL,
    searchReset: SQLITE_SEARCH_RESET,
    changeFeed: ['CREATE TABLE change_feed (position INTEGER PRIMARY KEY, changes TEXT NOT NULL)'],
    snapshotFeed: [],
  },
  tableNames: async (db) => {
    const rows = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
    return rows.map((row) => asText(row['name']));
  },
  // BEGIN IMMEDIATE already excludes every other writer.
  lock: () => Promise.resolve(),
};
