import type { Tx } from '../engine.js';
import type { Sql } from '../sql.js';
import type { StorageLog } from '../storage-log.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import { Busy } from './driver-errors.js';
import type { Gate } from '../gate.js';
import type { GroupCommit } from './group-commit.js';
import { retryWhileBusy, type Lock } from './lock.js';
import { OpenTransaction } from '../transaction.js';
import type { Watchers } from '../watchers.js';

export interface WriterParts {
  readonly connection: Connection;
  readonly lock: Lock;
  readonly gate: Gate;
  readonly groupCommit: GroupCommit;
  readonly watchers: Watchers;
  /** Announces changes to other processes; absent if there can be none. */
  readonly feed?: ChangeFeed;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
  /** Called after each commit. */
  onCommit(): void;
}

/** A body this slow delays every other writer. */
const SLOW_MS = 1_000;

interface Outcome<T> {
  readonly result: T;
  readonly open: OpenTransaction;
}

/**
 * Creates the function that runs transactions on the only writing connection, one at a time in the order of calls.
 */
export function createWriter(parts: WriterParts) {
  return async function tx<T>(name: string, body: (tx: Tx) => Promise<T>): Promise<T> {
    parts.gate.enter();
    if (parts.groupCommit.failure) throw parts.groupCommit.failure;
    const outcome = await parts.lock.run(parts.busyLimitMs, () => commitInTime(parts, name, body));
    // The lock is released: others commit while this transaction is synced.
    await parts.groupCommit.durable();
    outcome.open.runEffects(parts.log);
    return outcome.result;
  };
}

async function commitInTime<T>(
  parts: WriterParts,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const startMs = performance.now();
  try {
    return await retryWhileBusy(() => attempt(parts, name, body), parts.busyLimitMs);
  } finally {
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS)
      parts.log.warn({ tx: name, tookMs }, 'a transaction blocked the writer for a long time');
  }
}

async function attempt<T>(
  parts: WriterParts,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const { connection } = parts;
  connection.begin();
  const open = new OpenTransaction(name);
  try {
    const result = await parts.gate.runBody(() => body(handle(connection, open)));
    if (open.failure !== undefined) throw open.failure;
    const position = parts.feed?.append(open.changes);
    open.end();
    connection.commit();
    if (position !== undefined) {
      for (const change of parts.feed?.before(position) ?? []) parts.watchers.add(change);
    }
    for (const change of open.changes) parts.watchers.add(change);
    if (open.mayHaveWritten) parts.groupCommit.committed();
    parts.onCommit();
    return { result, open };
  } catch (error) {
    open.end();
    connection.rollback();
    // The body may have replaced the error, but only Busy is retried.
    throw open.failure instanceof Busy ? open.failure : error;
  }
}

/**
 * Creates the handle for a body. As in PostgreSQL, a failed statement fails the transaction. (SQLite itself would
 * continue after a constraint violation, and after a full disk would run statements outside the transaction that it
 * has rolled back.)
 */
function handle(connection: Connection, open: OpenTransaction): Tx {
  const execute = <T>(query: Sql, work: (query: Sql) => T): T => {
    open.requireOpen();
    try {
      const { isRead, effect } = connection.kindOf(query);
      if (!isRead) {
        open.mayHaveWritten = true;
        open.changes.add(effect, query.params);
      }
      return work(query);
    } catch (error) {
      open.failure = error;
      throw error;
    }
  };
  return {
    all: async (query) => execute(query, connection.all),
    get: async (query) => execute(query, connection.get),
    run: async (query) => execute(query, connection.run),
    afterCommit: open.afterCommit,
  };
}
