import type { SchemaDialect } from '../migrate.js';
import { asText, sql } from '../sql.js';
import { SQLITE_SEARCH_RESET, SQLITE_SEARCH_DDL } from './search.js';

/** The schema dialect of SQLite. */
export const sqliteDialect: SchemaDialect = {
  ddl: {
    idKey: 'INTEGER PRIMARY KEY',
    binaryText: 'TEXT',
    clustered: ' WITHOUT ROWID',
    searchIndex: SQLITE_SEARCH_DDL,
    searchReset: SQLITE_SEARCH_RESET,
    changeFeed: {
      33: [
        'DROP TABLE IF EXISTS change_feed',
        `CREATE TABLE change_feed (
          position INTEGER PRIMARY KEY,
          created_at INTEGER NOT NULL DEFAULT (unixepoch() * 1000),
          changes TEXT NOT NULL,
          events TEXT
        )`,
        `INSERT INTO change_feed (position, created_at, changes) VALUES (0, 0, '[]')`,
      ],
      54: [],
      55: [],
      57: [],
    },
  },
  tableNames: async (db) => {
    const rows = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
    return rows.map((row) => asText(row['name']));
  },
  // BEGIN IMMEDIATE already excludes every other writer.
  lock: () => Promise.resolve(),
};
