import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  CHANGES,
  NOTES,
  changeOf,
  keyColumns,
  keyColumnsOf,
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
import {
  CREATE_CHANGES,
  FORGET_CHANGES,
  READ_CHANGES,
  RECORDED_TABLES,
  startRecording,
  stopRecording,
} from './recording.js';

/** The name of the connection, which begins like those of servers. */
const APPLICATION = 'pipit move';

/** Values stay texts. */
const TEXTS: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** How long a server may wait for a trigger, and after which pause it is tried again. */
const TRIGGER_LOCK = `SET LOCAL lock_timeout = '2s'`;
const RETRY_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`;

const INDEXES = `SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisunique FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE NOT i.indisprimary AND t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1::text[])`;

const SEQUENCES = `SELECT table_name, column_name FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name <> '${CHANGES}'`;

const USERS = `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'pipit%' AND pid <> pg_backend_pid()`;

/** The catalogue of Citus; null without it. */
const CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition')`;

/** Statements wait as long as they need, and commits for the disk. */
const SESSION =
  'SET synchronous_commit = on; SET default_transaction_read_only = off; SET statement_timeout = 0';

/** Another connection reads the same snapshot for as long as that takes. */
const BEGIN_SNAPSHOT =
  'SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Opens an existing database. Rejects with StorageUnavailable if it cannot be reached. */
export async function openPostgresRows(url: string): Promise<StoredRows> {
  return new PostgresRows(await connect(url));
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
  return { rows: new PostgresRows(client), name: rows[0]?.name ?? '' };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: APPLICATION, keepAlive: true });
  // A connection that breaks rejects its statement too.
  client.on('error', () => undefined);
  await translating(client.connect());
  await translating(client.query(SESSION));
  return client;
}

class PostgresRows implements StoredRows {
  /** The names of prepared statements. */
  readonly #names = new Map<string, string>();
  readonly #rows: ReadRows;
  readonly #exec: Execute;
  readonly #tx: RowsTx;

  constructor(private readonly client: pg.Client) {
    this.#rows = async (text, values = []) => {
      const name = this.#names.get(text) ?? `move_${this.#names.size}`;
      this.#names.set(text, name);
      const query = { name, text, values: [...values], rowMode: 'array', types: TEXTS } as const;
      return (await translating(client.query<(string | null)[]>(query))).rows;
    };
    this.#exec = async (text) => void (await translating(client.query(text)));
    this.#tx = writes(this.#rows, this.#exec);
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

  async recordChanges(tables: readonly StoredTable[]): Promise<void> {
    await this.#exec(CREATE_CHANGES);
    const recorded = new Set((await this.#rows(RECORDED_TABLES)).map(([name]) => name));
    for (const table of tables) if (!recorded.has(table.name)) await this.#record(table);
  }

  async readChanges(limit: number): Promise<RecordedChange[]> {
    return (await this.#rows(READ_CHANGES, [limit])).map(changeOf);
  }

  async forgetChanges(changes: readonly RecordedChange[]): Promise<void> {
    const numbers = changes.map(({ number }) => number);
    await this.#rows(FORGET_CHANGES, [arrayOf('integer', numbers)]);
  }

  async holdWrites(tables: readonly StoredTable[]): Promise<void> {
    await this.#exec('BEGIN');
    await this.#exec(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN SHARE MODE`);
  }

  async endRecording(): Promise<void> {
    // Within the transaction of `holdWrites`, if there is one.
    if (this.client.getTransactionStatus() === 'I') await this.#exec('BEGIN');
    for (const [name] of await this.#rows(RECORDED_TABLES)) await this.#exec(stopRecording(name ?? ''));
    await this.#exec(`DROP TABLE IF EXISTS ${CHANGES}, ${NOTES}`);
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

  async isDistributed(): Promise<boolean> {
    const hasCitus = (await this.#value(CITUS)) !== null;
    return hasCitus && Number(await this.#value('SELECT COUNT(*) FROM pg_dist_partition')) > 0;
  }

  async dropEverything(): Promise<void> {
    for (const [name] of await this.#rows(TABLES)) await this.#exec(`DROP TABLE IF EXISTS ${name} CASCADE`);
  }

  close(): Promise<void> {
    return this.client.end().catch(() => undefined);
  }

  async #value(text: string): Promise<string | null | undefined> {
    return (await this.#rows(text))[0]?.[0];
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.#exec('BEGIN');
    try {
      await work();
      await this.#exec('COMMIT');
    } catch (error) {
      await this.#exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Adds a trigger. A busy table is tried again: a waiting trigger would make all its writers wait. */
  async #record(table: StoredTable): Promise<void> {
    for (;;) {
      try {
        return await this.#inTransaction(() => this.#exec(`${TRIGGER_LOCK}; ${startRecording(table)}`));
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      await delay(RETRY_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && [LOCK_NOT_AVAILABLE, DEADLOCK].includes(cause.code ?? '');
}

type ReadRows = (text: string, values?: readonly unknown[]) => Promise<StoredRow[]>;
type Execute = (text: string) => Promise<void>;

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

async function describe(rows: ReadRows, name: string): Promise<StoredTable> {
  const columns = (
    await rows(
      `SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname COLLATE "C"`,
      [name],
    )
  ).map(([column, type]) => ({ name: column ?? '', type: typeOf(name, column, type) }));
  const key = await rows(
    `SELECT a.attname FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY k.place`,
    [name],
  );
  return { name, columns: columns.flatMap(known), key: key.map(([column]) => column ?? '') };
}

type FoundColumn = { readonly name: string; readonly type: StoredColumn['type'] | undefined };

function known({ name, type }: FoundColumn): StoredColumn[] {
  return type === undefined ? [] : [{ name, type }];
}

/** Returns undefined for the number of a transaction, which belongs to one server. */
function typeOf(
  table: string,
  column: string | null | undefined,
  type: string | null | undefined,
): StoredColumn['type'] | undefined {
  if (type === 'text') return 'text';
  if (type === 'integer' || type === 'bigint') return 'integer';
  if (type === 'xid8') return undefined;
  throw new Error(`a move cannot copy ${table}.${column}: its type is ${type}`);
}

function namesOf(columns: readonly StoredColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
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

/** Returns the text of an array: the driver's own way quotes numbers too. */
function arrayOf(type: StoredColumn['type'], values: readonly (string | null)[]): string {
  const texts = type === 'integer' ? values.map((value) => value ?? 'NULL') : values.map(quoted);
  return `{${texts.join(',')}}`;
}

function quoted(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

async function translating<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translated(error);
  }
}
