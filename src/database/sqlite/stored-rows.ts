import Database from 'better-sqlite3';
import { rm } from 'node:fs/promises';
import {
  CHANGES,
  NOTES,
  changeOf,
  keyColumnsOf,
  namesOf,
  upsertClause,
  type RecordedChange,
  type RowKey,
  type RowsTx,
  type StoredColumn,
  type StoredIndex,
  type StoredRow,
  type StoredRows,
  type StoredTable,
} from '../stored-rows.js';
import { translated } from './driver-errors.js';
import { FORGET_CHANGES, READ_CHANGES, recordingStatements, TRIGGERS } from './recording.js';

/** How long a statement waits for the locks of other processes. */
const BUSY_MS = 30_000;

/** A note that a chunk was copied must not be older than the recording of what changed since. */
const SETTINGS = ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -65536'];

/** Opens an existing database file. Throws StorageUnavailable if it cannot be opened. */
export function openSqliteRows(file: string): StoredRows {
  return new SqliteRows(file);
}

class SqliteRows implements StoredRows {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();
  readonly #tx: RowsTx;

  constructor(private readonly file: string) {
    this.#db = translating(() => new Database(file, { fileMustExist: true, timeout: BUSY_MS }));
    for (const setting of SETTINGS) translating(() => this.#db.pragma(setting));
    const run: Run = (text, params = []) => translating(() => void this.#prepared(text).run(...params));
    this.#tx = writes(run, (text) => this.#exec(text));
  }

  async tableNames(): Promise<readonly string[]> {
    return this.#rows(TABLES).map(([name]) => name ?? '');
  }

  async describe(names: readonly string[]): Promise<StoredTable[]> {
    return names.map((name) => describe((text, params) => this.#rows(text, params), name));
  }

  async countRows(table: string): Promise<number> {
    return Number(this.#rows(`SELECT CAST(COUNT(*) AS TEXT) FROM ${table}`)[0]?.[0]);
  }

  async pageOf(table: StoredTable, after: RowKey | undefined, limit: number): Promise<StoredRow[]> {
    const where = after ? `WHERE (${table.key.join(', ')}) > (${placesOf(keyColumnsOf(table))})` : '';
    const order = table.key.map((name) => `t.${name}`).join(', ');
    const text = `SELECT ${textsOf(table)} FROM ${table.name} t ${where} ORDER BY ${order} LIMIT ?`;
    return this.#rows(text, [...(after ?? []), limit]);
  }

  async findRows(table: StoredTable, keys: readonly RowKey[]): Promise<StoredRow[]> {
    const text = `SELECT ${textsOf(table)} FROM ${table.name} WHERE ${isKey(table)}`;
    return keys.flatMap((key) => this.#rows(text, key));
  }

  async lastKey({ name, key }: StoredTable): Promise<string | undefined> {
    return this.#rows(`SELECT CAST(MAX(${key[0]}) AS TEXT) FROM ${name}`)[0]?.[0] ?? undefined;
  }

  write(body: (tx: RowsTx) => Promise<void>): Promise<void> {
    return this.#inTransaction(() => body(this.#tx));
  }

  async notes(): Promise<ReadonlyMap<string, string>> {
    const rows = this.#has(NOTES) ? this.#rows(`SELECT name, value FROM ${NOTES}`) : [];
    return new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
  }

  async openNotes(): Promise<void> {
    this.#exec(`CREATE TABLE IF NOT EXISTS ${NOTES} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`);
  }

  async closeNotes(): Promise<void> {
    this.#exec(`DROP TABLE IF EXISTS ${NOTES}`);
  }

  async recordChanges(tables: readonly StoredTable[]): Promise<void> {
    if (this.#has(CHANGES)) return;
    await this.#inTransaction(async () => recordingStatements(tables).forEach((text) => this.#exec(text)));
  }

  async readChanges(limit: number): Promise<RecordedChange[]> {
    return this.#rows(READ_CHANGES, [limit]).map(changeOf);
  }

  async forgetChanges(changes: readonly RecordedChange[]): Promise<void> {
    const numbers = JSON.stringify(changes.map(({ number }) => Number(number)));
    this.#rows(FORGET_CHANGES, [numbers]);
  }

  /** Nothing else writes while the file's lock is held; the transaction keeps out what ignores it. */
  async holdWrites(): Promise<void> {
    this.#exec('BEGIN IMMEDIATE');
  }

  async endRecording(): Promise<void> {
    // Within the transaction of `holdWrites`, if there is one.
    if (!this.#db.inTransaction) this.#exec('BEGIN IMMEDIATE');
    for (const [name] of this.#rows(TRIGGERS)) this.#exec(`DROP TRIGGER ${name}`);
    // A prepared statement would keep the table.
    this.#statements.clear();
    this.#exec(`DROP TABLE IF EXISTS ${CHANGES}; DROP TABLE IF EXISTS ${NOTES}; COMMIT`);
  }

  async listIndexes(tables: readonly StoredTable[]): Promise<StoredIndex[]> {
    return tables.flatMap(({ name }) =>
      this.#rows(INDEXES, [name]).map(([index, statement, unique]) => ({
        name: index ?? '',
        statement: statement ?? '',
        isUnique: unique === '1',
      })),
    );
  }

  /** Numbers follow the highest in their table. */
  advanceSequences(): Promise<void> {
    return Promise.resolve();
  }

  countUsers(): Promise<number> {
    return Promise.resolve(0);
  }

  isDistributed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async dropEverything(): Promise<void> {
    this.#db.close();
    for (const suffix of ['', '-wal', '-shm']) await rm(this.file + suffix, { force: true });
  }

  async close(): Promise<void> {
    translating(() => void this.#db.close());
  }

  #prepared(text: string): Database.Statement<unknown[]> {
    const found = this.#statements.get(text) ?? this.#db.prepare<unknown[]>(text);
    this.#statements.set(text, found);
    return found;
  }

  #rows(text: string, params: readonly unknown[] = []): StoredRow[] {
    return translating(
      () =>
        this.#prepared(text)
          .raw()
          .all(...params) as StoredRow[],
    );
  }

  #exec(text: string): void {
    translating(() => void this.#db.exec(text));
  }

  #has(table: string): boolean {
    return this.#rows(`${TABLES} AND name = ?`, [table]).length > 0;
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    this.#exec('BEGIN IMMEDIATE');
    try {
      await work();
      this.#exec('COMMIT');
    } catch (error) {
      if (this.#db.inTransaction) this.#exec('ROLLBACK');
      throw error;
    }
  }
}

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table'`;

const INDEXES = `SELECT m.name, m.sql, CAST(l."unique" AS TEXT) FROM pragma_index_list(?) l
  JOIN sqlite_master m ON m.name = l.name AND m.type = 'index' WHERE l.origin = 'c'`;

type Run = (text: string, params?: readonly unknown[]) => void;

function writes(run: Run, exec: (text: string) => void): RowsTx {
  const insertion = ({ name, columns }: StoredTable): string =>
    `INSERT INTO ${name} (${namesOf(columns)}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    insert: async (table, rows) => {
      const text = insertion(table);
      for (const row of rows) run(text, row);
    },
    upsert: async (table, rows) => {
      const text = `${insertion(table)} ${upsertClause(table)}`;
      for (const row of rows) run(text, row);
    },
    delete: async (table, keys) => {
      const text = `DELETE FROM ${table.name} WHERE ${isKey(table)}`;
      for (const key of keys) run(text, key);
    },
    run: async (statement) => exec(statement),
    putNote: async (name, value) => {
      if (value === undefined) run(`DELETE FROM ${NOTES} WHERE name = ?`, [name]);
      else
        run(
          `INSERT INTO ${NOTES} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          [name, value],
        );
    },
  };
}

type ReadRows = (text: string, params?: readonly unknown[]) => StoredRow[];

function describe(rows: ReadRows, name: string): StoredTable {
  const found = rows('SELECT name, type, CAST(pk AS TEXT) FROM pragma_table_info(?) ORDER BY name', [
    name,
  ]).map(([column, type, place]) => ({
    name: column ?? '',
    type: typeOf(name, column, type),
    place: Number(place),
  }));
  const key = found.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place);
  return {
    name,
    columns: found.map((column) => ({ name: column.name, type: column.type })),
    key: key.map((column) => column.name),
  };
}

function typeOf(
  table: string,
  column: string | null | undefined,
  type: string | null | undefined,
): StoredColumn['type'] {
  if (type === 'TEXT') return 'text';
  if (type === 'INTEGER' || type === 'BIGINT') return 'integer';
  throw new Error(`a move cannot copy ${table}.${column}: its type is ${type}`);
}

function textsOf({ columns }: StoredTable): string {
  return columns.map(({ name }) => `CAST(${name} AS TEXT)`).join(', ');
}

/** A parameter has no affinity in comparisons of several columns, so numbers are converted. */
function placesOf(columns: readonly StoredColumn[]): string {
  return columns.map(({ type }) => (type === 'integer' ? 'CAST(? AS INTEGER)' : '?')).join(', ');
}

function isKey(table: StoredTable): string {
  return table.key.map((name) => `${name} = ?`).join(' AND ');
}

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}
