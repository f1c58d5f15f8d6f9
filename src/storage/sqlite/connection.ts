import Database from 'better-sqlite3';
import type { Row } from '../engine.js';
import type { Sql } from '../sql.js';
import { boundValues } from './binding.js';
import { translating } from './driver-errors.js';
import type { Effect } from './effect.js';
import { createStatementCache, type Prepared } from './statement-cache.js';

/** How far the write-ahead log is: pages in it, and how many of them the database file has already. */
export interface WalState {
  readonly pages: number;
  readonly checkpointedPages: number;
}

export interface StatementKind {
  /** It cannot change the database. */
  readonly isRead: boolean;
  readonly effect: Effect;
}

/** One connection, synchronous. Every method throws only what driver-errors.ts lets through. */
export interface Connection {
  /** Reads. Throws an Error for a statement that would write: only a transaction can. */
  readAll(query: Sql): Row[];
  readOne(query: Sql): Row | undefined;
  /** Run whatever the statement is; for use inside a transaction. */
  all(query: Sql): Row[];
  get(query: Sql): Row | undefined;
  /** Resolves to the number of rows changed. */
  run(query: Sql): number;
  /** What a statement does, without running it. */
  kindOf(query: Sql): StatementKind;
  begin(): void;
  commit(): void;
  /** Does nothing when SQLite has rolled back by itself, as it does on a full disk. */
  rollback(): void;
  readonly inTransaction: boolean;
  pragma(text: string): unknown;
  walState(): WalState;
  /** A value that is another after commits of other connections. */
  dataVersion(): unknown;
  close(): void;
  /** Copies the database to a file, all pages in one step. */
  copyTo(file: string): Promise<void>;
}

/** Opens an existing file or `:memory:`. It never waits for a lock (Busy at once): the caller retries. */
export function openConnection(file: string, options: { readonly: boolean }): Connection {
  const db = translating(
    () => new Database(file, { readonly: options.readonly, fileMustExist: file !== ':memory:', timeout: 0 }),
  );
  db.defaultSafeIntegers(true);
  const statements = createStatementCache(db);
  const control = (text: string) => {
    const statement = translating(() => db.prepare(text));
    return () => void translating(() => statement.run());
  };
  const rollback = control('ROLLBACK');
  const dataVersion = translating(() => db.prepare('PRAGMA data_version').pluck());
  return {
    ...reads((query) => statements.prepare(query)),
    begin: control('BEGIN IMMEDIATE'),
    commit: control('COMMIT'),
    rollback: () => {
      if (db.inTransaction) rollback();
    },
    get inTransaction() {
      return db.inTransaction;
    },
    pragma: (text) => translating(() => db.pragma(text, { simple: true })),
    walState: () => translating(() => walState(db)),
    dataVersion: () => translating(() => dataVersion.get()),
    close: () => void translating(() => db.close()),
    copyTo: async (target) => {
      await db.backup(target, { progress: () => ALL_PAGES });
    },
  };
}

const ALL_PAGES = 0x7fffffff;

type Reads = Pick<Connection, 'readAll' | 'readOne' | 'all' | 'get' | 'run' | 'kindOf'>;

function reads(prepare: (query: Sql) => Prepared): Reads {
  const readOnly = (query: Sql): Prepared['statement'] => {
    const { statement } = prepare(query);
    if (!statement.readonly) throw new Error('only a transaction can write');
    return statement;
  };
  return {
    readAll: (query) => translating(() => readOnly(query).all(...boundValues(query))),
    readOne: (query) => translating(() => readOnly(query).get(...boundValues(query))),
    all: (query) => translating(() => prepare(query).statement.all(...boundValues(query))),
    get: (query) => translating(() => prepare(query).statement.get(...boundValues(query))),
    run: (query) => translating(() => prepare(query).statement.run(...boundValues(query)).changes),
    kindOf: (query) =>
      translating(() => {
        const { statement, effect } = prepare(query);
        return { isRead: statement.readonly, effect };
      }),
  };
}

/** NOOP asks without checkpointing (sqlite.org/pragma.html#pragma_wal_checkpoint). */
function walState(db: Database.Database): WalState {
  const [row] = db.pragma('wal_checkpoint(NOOP)') as [{ log: bigint; checkpointed: bigint }];
  return { pages: Number(row.log), checkpointedPages: Number(row.checkpointed) };
}
