import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  CHANGES,
  NOTES,
  keyColumns,
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
import { StorageUnavailable } from '../errors.js';
import { COMMIT_ON_CLUSTER } from './citus/commits.js';
import { settledSince } from './citus/in-doubt.js';
import { IN_SEQUENCE, PLACED_TABLES } from './citus/changes-on-shards.js';
import { ChangeRecorder } from './change-recorder.js';
import { translated } from './driver-errors.js';
import { arrayOf, type Execute, type ReadRows } from './raw-rows.js';

/** The name of the connection, which begins like those of servers. */
const APPLICATION = 'pipit move';

/** Values stay texts. */
const TEXTS: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

const SETTLE_TRIES = 50;
const SETTLE_MS = 200;

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`;

const INDEXES = `SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisunique FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE NOT i.indisprimary AND t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1::text[])`;

const SEQUENCES = `SELECT table_name, column_name FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name <> '${CHANGES}'`;

const USERS = `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'pipit%' AND pid <> pg_backend_pid()`;

/** The catalogue of Citus; null without it. */
const CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition') AS found`;

/** Statements wait as long as they need, and commits for the disk. */
const SESSION =
  'SET synchronous_commit = on; SET default_transaction_read_only = off; SET statement_timeout = 0';

/** Another connection reads the same snapshot for as long as that takes. */
const BEGIN_SNAPSHOT =
  'SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Opens an existing database. Rejects with StorageUnavailable if it cannot be reached. */
export async function openPostgresRows(url: string): Promise<StoredRows> {
  return rowsOver(await connect(url));
}

/** The rows of a database at one moment. */
export interface RowsOfSnapshot {
  readonly rows: StoredRows;
  /** The name by which other connections see the same moment, until `rows` is closed. */
  readonly name: string;
}

/** Opens the rows of a database as they are now: what others write later is not in them. Rejects as `openPostgresRows`. */
export async function openPostgresSnapshot(url: string): Promise<RowsOfSnapshot> {
  const client = await connect(url);
  await translating(client.query(BEGIN_SNAPSHOT));
  const { rows } = await translating(client.query<{ name: string }>('SELECT pg_export_snapshot() AS name'));
  return { rows: await rowsOver(client), name: rows[0]?.name ?? '' };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: APPLICATION, keepAlive: true });
  // A connection that breaks rejects its statement too.
  client.on('error', () => undefined);
  await translating(client.connect());
  await translating(client.query(SESSION));
  return client;
}

async function rowsOver(client: pg.Client): Promise<StoredRows> {
  return new PostgresRows(client, await translating(findPlaced(client)));
}

/** Returns the names of the tables that Citus has placed; none on one server. */
async function findPlaced(client: pg.Client): Promise<ReadonlySet<string>> {
  const citus = await client.query<{ found: string | null }>(CITUS);
  if (citus.rows[0]?.found === null) return new Set();
  const { rows } = await client.query<{ relname: string }>(PLACED_TABLES);
  return new Set(rows.map(({ relname }) => relname));
}

class PostgresRows implements StoredRows {
  /** The names of prepared statements. */
  readonly #names = new Map<string, string>();
  readonly #rows: ReadRows;
  readonly #exec: Execute;
  readonly #tx: RowsTx;
  readonly #recorder: ChangeRecorder;
  /** Whether tables are on shards. */
  readonly #isDistributed: boolean;

  constructor(
    private readonly client: pg.Client,
    placed: ReadonlySet<string>,
  ) {
    this.#isDistributed = placed.size > 0;
    this.#rows = async (text, values = []) => {
      const name = this.#names.get(text) ?? `move_${this.#names.size}`;
      this.#names.set(text, name);
      const query = { name, text, values: [...values], rowMode: 'array', types: TEXTS } as const;
      return (await translating(client.query<(string | null)[]>(query))).rows;
    };
    this.#exec = async (text) => void (await translating(client.query(text)));
    this.#tx = writes(this.#rows, this.#exec);
    this.#recorder = new ChangeRecorder(placed, this.#rows, this.#exec, (work) => this.#inTransaction(work));
  }

  async tableNames(): Promise<readonly string[]> {
    return (await this.#rows(TABLES)).map(([name]) => name ?? '');
  }

  async describe(names: readonly string[]): Promise<StoredTable[]> {
    const described: StoredTable[] = [];
    for (const name of names) described.push(await describe(this.#rows, name));
    return described;
  }

  async countRows(table: string): Promise<number> {
    return Number(await this.#value(`SELECT COUNT(*) FROM ${table}`));
  }

  pageOf(table: StoredTable, after: RowKey | undefined, limit: number): Promise<StoredRow[]> {
    const key = table.key.join(', ');
    const columns = keyColumnsOf(table);
    const where = after ? `WHERE (${key}) > (${placesOf(columns)})` : '';
    const place = after ? columns.length + 1 : 1;
    const text = `SELECT ${namesOf(table.columns)} FROM ${table.name} ${where} ORDER BY ${key} LIMIT $${place}`;
    return this.#rows(text, [...(after ?? []), limit]);
  }

  findRows(table: StoredTable, keys: readonly RowKey[]): Promise<StoredRow[]> {
    const columns = table.columns.map(({ name }) => `t.${name}`).join(', ');
    const { list, on } = keyListParts(table);
    return this.#rows(`SELECT ${columns} FROM ${table.name} t JOIN ${list} ON ${on}`, keyArrays(table, keys));
  }

  async lastKey({ name, key }: StoredTable): Promise<string | undefined> {
    return (await this.#value(`SELECT MAX(${key[0]}) FROM ${name}`)) ?? undefined;
  }

  write(body: (tx: RowsTx) => Promise<void>): Promise<void> {
    return this.#inTransaction(() => body(this.#tx));
  }

  async notes(): Promise<ReadonlyMap<string, string>> {
    const isThere = (await this.#rows(`${TABLES} AND tablename = $1`, [NOTES])).length > 0;
    const found = isThere ? await this.#rows(`SELECT name, value FROM ${NOTES}`) : [];
    return new Map(found.map(([name, value]) => [name ?? '', value ?? '']));
  }

  openNotes(): Promise<void> {
    return this.#exec(`CREATE TABLE IF NOT EXISTS ${NOTES} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`);
  }

  closeNotes(): Promise<void> {
    return this.#exec(`DROP TABLE IF EXISTS ${NOTES}`);
  }

  recordChanges(tables: readonly StoredTable[]): Promise<void> {
    return this.#recorder.start(tables);
  }

  readChanges(limit: number): Promise<RecordedChange[]> {
    return this.#recorder.read(limit);
  }

  forgetChanges(changes: readonly RecordedChange[]): Promise<void> {
    return this.#recorder.forget(changes);
  }

  async holdWrites(tables: readonly StoredTable[]): Promise<void> {
    await this.#begin();
    await this.#exec(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN SHARE MODE`);
    if (this.#isDistributed) await this.#awaitSettled();
  }

  async endRecording(): Promise<void> {
    // Within the transaction of `holdWrites`, if there is one.
    if (this.client.getTransactionStatus() === 'I') await this.#begin();
    await this.#recorder.end();
    await this.#exec(`DROP TABLE IF EXISTS ${NOTES}`);
    await this.#exec('COMMIT');
  }

  async listIndexes(tables: readonly StoredTable[]): Promise<StoredIndex[]> {
    const names = tables.map(({ name }) => name);
    const rows = await this.#rows(INDEXES, [arrayOf('text', names)]);
    return rows.map(([name, statement, unique]) => ({
      name: name ?? '',
      statement: statement ?? '',
      isUnique: unique === 't',
    }));
  }

  async advanceSequences(): Promise<void> {
    for (const [table, column] of await this.#rows(SEQUENCES))
      await this.#exec(`SELECT setval(pg_get_serial_sequence('${table}', '${column}'),
        GREATEST((SELECT COALESCE(MAX(${column}), 0) FROM ${table}), 1))`);
  }

  async countUsers(): Promise<number> {
    return Number(await this.#value(USERS));
  }

  isDistributed(): Promise<boolean> {
    return Promise.resolve(this.#isDistributed);
  }

  async dropEverything(): Promise<void> {
    for (const [name] of await this.#rows(TABLES)) await this.#exec(`DROP TABLE IF EXISTS ${name} CASCADE`);
  }

  close(): Promise<void> {
    return this.client.end().catch(() => undefined);
  }

  /** Begins a transaction that may change the schema after reads. */
  async #begin(): Promise<void> {
    await this.#exec('BEGIN');
    if (this.#isDistributed) await this.#exec(IN_SEQUENCE);
  }

  /** Waits for commits that a lost worker has prepared: no read finds them before. */
  async #awaitSettled(): Promise<void> {
    for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
      if ((await this.#value(settledSince('infinity'))) === '1') return;
      await delay(SETTLE_MS);
    }
    throw new StorageUnavailable('a worker does not answer, or has commits to finish');
  }

  async #value(text: string): Promise<string | null | undefined> {
    return (await this.#rows(text))[0]?.[0];
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.#exec('BEGIN');
    try {
      await work();
      await this.#exec(this.#isDistributed ? COMMIT_ON_CLUSTER : 'COMMIT');
    } catch (error) {
      await this.#exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

function writes(rows: ReadRows, exec: Execute): RowsTx {
  const insertion = ({ name, columns }: StoredTable): string =>
    `INSERT INTO ${name} (${namesOf(columns)}) SELECT * FROM unnest(${arraysOf(columns)})`;
  const arrays = ({ columns }: StoredTable, values: readonly StoredRow[]): string[] =>
    columns.map(({ type }, index) =>
      arrayOf(
        type,
        values.map((row) => row[index] ?? null),
      ),
    );
  return {
    insert: async (table, values) => void (await rows(insertion(table), arrays(table, values))),
    upsert: async (table, values) =>
      void (await rows(`${insertion(table)} ${upsertClause(table)}`, arrays(table, values))),
    delete: async (table, keys) => {
      const { list, on } = keyListParts(table);
      await rows(`DELETE FROM ${table.name} t USING ${list} WHERE ${on}`, keyArrays(table, keys));
    },
    run: exec,
    putNote: async (name, value) => {
      if (value === undefined) await rows(`DELETE FROM ${NOTES} WHERE name = $1`, [name]);
      else
        await rows(
          `INSERT INTO ${NOTES} (name, value) VALUES ($1, $2)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          [name, value],
        );
    },
  };
}

/** Leaves out the number of a transaction, which belongs to one server; older schemas have a column with one. */
async function describe(rows: ReadRows, name: string): Promise<StoredTable> {
  const columns = (
    await rows(
      `SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'xid8'::regtype
      ORDER BY a.attname COLLATE "C"`,
      [name],
    )
  ).map(([column, type]) => ({ name: column ?? '', type: typeOf(name, column, type) }));
  const key = await rows(
    `SELECT a.attname FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY k.place`,
    [name],
  );
  return { name, columns, key: key.map(([column]) => column ?? '') };
}

function typeOf(
  table: string,
  column: string | null | undefined,
  type: string | null | undefined,
): StoredColumn['type'] {
  if (type === 'text') return 'text';
  if (type === 'integer' || type === 'bigint') return 'integer';
  throw new Error(`a move cannot copy ${table}.${column}: its type is ${type}`);
}

function castOf({ type }: StoredColumn): string {
  return type === 'integer' ? 'bigint' : 'text';
}

function placesOf(columns: readonly StoredColumn[]): string {
  return columns.map((column, index) => `$${index + 1}::${castOf(column)}`).join(', ');
}

function arraysOf(columns: readonly StoredColumn[]): string {
  return columns.map((column, index) => `$${index + 1}::${castOf(column)}[]`).join(', ');
}

function keyListParts(table: StoredTable): { readonly list: string; readonly on: string } {
  const names = keyColumns(table.key.length);
  return {
    list: `unnest(${arraysOf(keyColumnsOf(table))}) AS k (${names.join(', ')})`,
    on: table.key.map((column, index) => `t.${column} = k.${names[index]}`).join(' AND '),
  };
}

function keyArrays(table: StoredTable, keys: readonly StoredRow[]): string[] {
  return keyColumnsOf(table).map(({ type }, index) =>
    arrayOf(
      type,
      keys.map((key) => key[index] ?? null),
    ),
  );
}

async function translating<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translated(error);
  }
}
