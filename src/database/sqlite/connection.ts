import Database from 'better-sqlite3';
import type { Queryable, Row } from '../engine.js';
import type { Sql, SqlValue } from '../sql.js';
import { createStatementCache } from '../statement-cache.js';
import type { StatementWatch } from '../statement-watch.js';
import { blankOf } from '../blank.js';
import { boundValues, textOf, type Bound } from './binding.js';
import { translated } from './driver-errors.js';
import { effectOf, type Effect } from '../effect.js';

/** The state of the write-ahead log: its pages, and how many of them are in the database file already. */
export interface WalState {
  readonly pages: number;
  readonly checkpointedPages: number;
}

interface StatementKind {
  /** True if it cannot change the database. */
  readonly isRead: boolean;
  readonly effect: Effect;
}

/** A synchronous connection. Every method throws translated errors only (driver-errors.ts). */
export interface Connection {
  /** Runs a read. Throws an Error for a writing statement: only a transaction can write. */
  readAll(query: Sql): Row[];
  readOne(query: Sql): Row | undefined;
  /** Runs any statement; for use inside a transaction. */
  all(query: Sql): Row[];
  get(query: Sql): Row | undefined;
  /** Runs any statement and returns the number of changed rows. */
  run(query: Sql): number;
  /** Classifies a statement without running it. */
  kindOf(query: Sql): StatementKind;
  /** Returns the steps of the plan of a statement, which is not run. */
  explain(query: Sql): string[];
  begin(): void;
  commit(): void;
  /** Rolls back, unless SQLite already has, as on a full disk. */
  rollback(): void;
  readonly inTransaction: boolean;
  /** A part of a transaction that can be rolled back alone. */
  readonly savepoint: { begin(): void; release(): void; rollback(): void };
  pragma(text: string): unknown;
  walState(): WalState;
  /** Reports whether another connection has committed since the last call. Checks once in each turn of the event loop. */
  hasOtherCommits(): boolean;
  /**
   * Makes the next call of `hasOtherCommits` check again: requests that arrived in this turn may rely on a commit that
   * was acknowledged after its first check.
   */
  expectOtherCommits(): undefined;
  close(): void;
  /** Copies the database to a file in one step. */
  copyTo(file: string): Promise<void>;
}

/**
 * Opens an existing file, `:memory:`, or a database in memory with the contents of a file. It never waits for a lock:
 * it throws Busy and the caller retries.
 */
export function openConnection(
  file: string | Buffer,
  options: { readonly readonly: boolean; readonly watch?: StatementWatch },
): Connection {
  const db = translating(
    () => new Database(file, { readonly: options.readonly, fileMustExist: !isInMemory(file), timeout: 0 }),
  );
  db.defaultSafeIntegers(true);
  const control = (text: string) => {
    const statement = translating(() => db.prepare(text));
    return () => void translating(() => statement.run());
  };
  const rollback = control('ROLLBACK');
  const [release, undo] = [control('RELEASE part'), control('ROLLBACK TO part')];
  // Prepared at first use: preparing may meet a lock, and only uses are retried.
  const prepareOnce = <T>(text: string): (() => Database.Statement<[], T>) => {
    let statement: Database.Statement<[], T> | undefined;
    return () => (statement ??= db.prepare<[], T>(text));
  };
  // NOOP reports without a checkpoint (sqlite.org/pragma.html#pragma_wal_checkpoint).
  const walState = prepareOnce<WalRow>('PRAGMA wal_checkpoint(NOOP)');
  // A counter of commits by other connections (sqlite.org/pragma.html#pragma_data_version).
  const dataVersion = prepareOnce<{ readonly data_version: bigint }>('PRAGMA data_version');
  return {
    ...reads(
      createStatementCache(textOf, (text, query) => prepareOn(db, text, query)),
      options.watch,
    ),
    explain: (query) => translating(() => explainOn(db, query)),
    begin: control('BEGIN IMMEDIATE'),
    commit: control('COMMIT'),
    rollback: () => {
      if (db.inTransaction) rollback();
    },
    get inTransaction() {
      return db.inTransaction;
    },
    savepoint: {
      begin: control('SAVEPOINT part'),
      release,
      rollback: () => {
        undo();
        release();
      },
    },
    pragma: (text) => translating(() => db.pragma(text, { simple: true })),
    walState: () => translating(() => stateOf(walState().get())),
    ...createVersionCheck(() => translating(() => dataVersion().get()?.data_version)),
    close: () => void translating(() => db.close()),
    copyTo: async (target) => {
      await db.backup(target, { progress: () => ALL_PAGES });
    },
  };
}

/** Checks whether the version has changed since it was last read, once per turn unless more is expected. */
function createVersionCheck(
  readVersion: () => unknown,
): Pick<Connection, 'hasOtherCommits' | 'expectOtherCommits'> {
  let seen: unknown;
  let isFresh = false;
  let endsWithTurn = false;
  const endTurn = (): void => {
    isFresh = endsWithTurn = false;
  };
  return {
    hasOtherCommits: () => {
      if (isFresh) return false;
      const version = readVersion();
      const isNew = version !== seen;
      seen = version;
      isFresh = true;
      if (!endsWithTurn) setImmediate(endTurn);
      endsWithTurn = true;
      return isNew;
    },
    expectOtherCommits: () => {
      isFresh = false;
    },
  };
}

/** Runs `work` and translates the driver's errors. */
function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

/** Returns true for a database that has no file. */
export function isInMemory(file: string | Buffer): boolean {
  return typeof file !== 'string' || file === ':memory:';
}

const ALL_PAGES = 0x7fffffff;

/** Returns the reads of a connection, each run at once. */
export function readsOf(connection: Connection): Queryable {
  return {
    all: async (query) => connection.readAll(query),
    get: async (query) => connection.readOne(query),
  };
}

/** A statement prepared on its connection. */
interface Prepared {
  /** Rows are arrays of values: the driver is slow at creating objects. */
  readonly statement: Database.Statement<Bound[], SqlValue[]>;
  /** The column names; empty for a statement without rows. */
  readonly columns: readonly string[];
  /** A row without values. */
  readonly blank: Row;
  readonly effect: Effect;
}

/** Throws the driver's error for text that does not compile. */
function prepareOn(db: Database.Database, text: string, query: Sql): Prepared {
  const statement = db.prepare<Bound[], SqlValue[]>(text);
  const columns = statement.reader ? statement.columns().map((column) => column.name) : [];
  return {
    statement: statement.reader ? statement.raw() : statement,
    columns,
    blank: blankOf(columns),
    effect: effectOf(query),
  };
}

interface PlanStep {
  readonly id: bigint;
  readonly parent: bigint;
  readonly detail: string;
}

/** Steps stand below the one that uses them (sqlite.org/eqp.html). */
function explainOn(db: Database.Database, query: Sql): string[] {
  const steps = db
    .prepare<Bound[], PlanStep>(`EXPLAIN QUERY PLAN ${textOf(query)}`)
    .all(...boundValues(query));
  const depths = new Map<bigint, number>();
  return steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return '  '.repeat(depth) + detail;
  });
}

type Reads = Pick<Connection, 'readAll' | 'readOne' | 'all' | 'get' | 'run' | 'kindOf'>;

function reads(prepare: (query: Sql) => Prepared, watch: StatementWatch | undefined): Reads {
  const all = (prepared: Prepared, query: Sql): Row[] => {
    const begunMs = watch?.begin() ?? 0;
    const rows = prepared.statement.all(...boundValues(query));
    watch?.ended(query, begunMs, rows.length);
    return rows.map((values) => rowOf(prepared, values));
  };
  const one = (prepared: Prepared, query: Sql): Row | undefined => {
    const begunMs = watch?.begin() ?? 0;
    const values = prepared.statement.get(...boundValues(query));
    watch?.ended(query, begunMs, values ? 1 : 0);
    return values && rowOf(prepared, values);
  };
  const run = ({ statement }: Prepared, query: Sql): number => {
    const begunMs = watch?.begin() ?? 0;
    const { changes } = statement.run(...boundValues(query));
    watch?.ended(query, begunMs, changes);
    return changes;
  };
  const readOnly = (query: Sql): Prepared => {
    const prepared = prepare(query);
    if (!prepared.statement.readonly) throw new Error('only a transaction can write');
    return prepared;
  };
  return {
    readAll: (query) => translating(() => all(readOnly(query), query)),
    readOne: (query) => translating(() => one(readOnly(query), query)),
    all: (query) => translating(() => all(prepare(query), query)),
    get: (query) => translating(() => one(prepare(query), query)),
    run: (query) => translating(() => run(prepare(query), query)),
    kindOf: (query) =>
      translating(() => {
        const { statement, effect } = prepare(query);
        return { isRead: statement.readonly, effect };
      }),
  };
}

function rowOf({ columns, blank }: Prepared, values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = { ...blank };
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null;
  return row;
}

interface WalRow {
  readonly log: bigint;
  readonly checkpointed: bigint;
}

function stateOf(row: WalRow | undefined): WalState {
  return { pages: Number(row?.log ?? 0), checkpointedPages: Number(row?.checkpointed ?? 0) };
}
