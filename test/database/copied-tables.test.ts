import { expect, inject, test } from 'vitest';
import {
  commonTables,
  copiedAmong,
  NOT_COPIED,
  ROWS_FROM_THE_START,
} from '../../src/database/copied-tables.js';
import { openEngine, openStoredRows } from '../../src/database/open-engine.js';
import { CHANGES, NOTES, type StoredRows, type StoredTable } from '../../src/database/stored-rows.js';
import { temporaryFolder } from '../support/cli.js';
import { createPostgresDatabase } from '../support/test-database.js';

interface Described {
  readonly names: readonly string[];
  readonly tables: readonly StoredTable[];
  /** The copied tables of a new database that have rows. */
  readonly filled: readonly string[];
}

async function describeRows(rows: StoredRows): Promise<Described> {
  try {
    const names = await rows.tableNames();
    const tables = await rows.describe(copiedAmong(names));
    const filled: string[] = [];
    for (const { name } of tables) if ((await rows.countRows(name)) > 0) filled.push(name);
    return { names, tables, filled };
  } finally {
    await rows.close();
  }
}

async function describeSqlite(): Promise<Described> {
  await using folder = await temporaryFolder();
  const url = `sqlite:${folder.file('pipit.db')}`;
  await (await openEngine(url, { durability: 'relaxed' })).close();
  return describeRows(await openStoredRows(url));
}

async function describePostgres(): Promise<Described> {
  const database = await createPostgresDatabase('schema');
  try {
    return await describeRows(await openStoredRows(database.url));
  } finally {
    await database.remove();
  }
}

/** What belongs to the order of the commits of one server. */
const ONE_ENGINE = ['change_feed.source'];

/** What only distributed databases have: `test/citus/move.test.ts` moves one. */
const ON_CLUSTERS = ['cluster_commits', 'cluster_turns'];

test.skipIf(!inject('postgres'))(
  'a move copies each table and column that both engines have, or says why not',
  async () => {
    const [sqlite, postgres] = [await describeSqlite(), await describePostgres()];
    const common = commonTables(sqlite.tables, postgres.tables);
    const columnsOf = (tables: readonly StoredTable[]) =>
      tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)).sort();
    expect(columnsOf(common)).toEqual(columnsOf(sqlite.tables));
    expect([...columnsOf(common), ...ONE_ENGINE].sort()).toEqual(columnsOf(postgres.tables));
    expect([sqlite.filled, postgres.filled].flat()).toSatisfy((names: string[]) =>
      names.every((name) => ROWS_FROM_THE_START.includes(name)),
    );
    const known = new Set([...sqlite.names, ...postgres.names, ...ON_CLUSTERS, CHANGES, NOTES]);
    expect(Object.keys(NOT_COPIED).filter((name) => !known.has(name))).toEqual([]);
  },
);
