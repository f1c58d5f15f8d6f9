import type { Tx } from '../engine.js';
import type { Sql } from '../sql.js';
import type { StorageLog } from '../storage-log.js';
import type { ChangeFeed } from './change-feed.js';
import type { EngineCounts } from '../engine-counts.js';
import type { Connection } from './connection.js';
import { Busy } from './driver-errors.js';
import type { Gate } from '../gate.js';
import { createGroupCommit } from './group-commit.js';
import { retryWhileBusy, type Lock } from './lock.js';
import { OpenTransaction } from '../transaction.js';
import type { Watchers } from '../watchers.js';

export interface WriterParts {
  readonly connection: Connection;
  readonly lock: Lock;
  readonly gate: Gate;
  /** Makes the log durable. */
  sync(): Promise<void>;
  readonly watchers: Watchers;
  /** Keeps what transactions change and do. */
  readonly feed: Pick<ChangeFeed, 'append' | 'before'>;
  /** Called after each commit with events. */
  onEvents(): void;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
  readonly counts: EngineCounts;
  /** Called after each commit. */
  onCommit(): void;
}

/** A slower group delays every other writer. */
const SLOW_MS = 1_000;

/** A transaction of a group. */
interface Member<T = unknown> {
  readonly name: string;
  readonly body: (tx: Tx) => Promise<T>;
  /** Runs the effects after the commit and returns the result, or throws the error of the body. */
  finish(): T;
}

/**
 * Creates the function that runs transactions on the only writing connection, one at a time in the order of calls.
 * Those of a group share a transaction of SQLite, in which a body that throws is rolled back alone.
 */
export function createWriter(parts: WriterParts) {
  const commit = createGroupCommit<Member>({ ...parts, commit: (members) => commitInTime(parts, members) });
  return async function tx<T>(name: string, body: (tx: Tx) => Promise<T>): Promise<T> {
    parts.gate.enter();
    const member: Member<T> = { name, body, finish: neverRun };
    await commit(member);
    return member.finish();
  };
}

function neverRun(): never {
  throw new Error('the transaction did not run');
}

async function commitInTime(parts: WriterParts, members: readonly Member[]): Promise<boolean> {
  const startMs = performance.now();
  try {
    return await retryWhileBusy(() => attempt(parts, members), parts.busyLimitMs);
  } finally {
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS) {
      const tx = [...new Set(members.map(({ name }) => name))].join(', ');
      parts.log.warn({ tx, tookMs }, 'a transaction blocked the writer for a long time');
    }
  }
}

/** Runs and commits a group. Returns true if it may have written. */
async function attempt(parts: WriterParts, members: readonly Member[]): Promise<boolean> {
  const { connection, feed, watchers, counts } = parts;
  try {
    const done: OpenTransaction[] = [];
    for (const member of members) {
      const open = await runMember(parts, member);
      if (open) done.push(open);
    }
    if (done.length === 0) return false;
    const changes = done.flatMap((open) => [...open.changes]);
    const events = done.flatMap((open) => open.events);
    const position = feed.append(changes, events);
    connection.commit();
    if (position !== undefined) for (const change of feed.before(position)) watchers.add(change);
    for (const change of changes) watchers.add(change);
    parts.onCommit();
    if (events.length > 0) parts.onEvents();
    return done.some((open) => open.mayHaveWritten);
  } catch (error) {
    connection.rollback();
    if (error instanceof Busy) counts.addRetry();
    throw error;
  }
}

/**
 * Runs a body within the open transaction, which the first one begins. Returns undefined if the body failed and was
 * rolled back. Throws if the whole group must be rolled back.
 */
async function runMember(parts: WriterParts, member: Member): Promise<OpenTransaction | undefined> {
  const { connection, gate, log } = parts;
  const isFirst = !connection.inTransaction;
  if (isFirst) connection.begin();
  else connection.savepoint.begin();
  const open = new OpenTransaction(member.name);
  try {
    const result = await gate.runBody(() => member.body(handle(connection, open)));
    if (open.failure !== undefined) throw open.failure;
    if (!isFirst) connection.savepoint.release();
    member.finish = () => {
      open.runEffects(log);
      return result;
    };
    return open;
  } catch (error) {
    // The body may have replaced the error, but only Busy is retried.
    if (open.failure instanceof Busy) throw open.failure;
    member.finish = () => {
      throw error;
    };
    if (isFirst) connection.rollback();
    // On a full disk SQLite rolls back everything, also what others have written.
    else if (!connection.inTransaction) throw error;
    else connection.savepoint.rollback();
    return undefined;
  } finally {
    open.end();
  }
}

/**
 * Creates the handle for a body. As in PostgreSQL, a failed statement fails the transaction. (SQLite itself would
 * continue after a constraint violation, and after a full disk would run statements outside the transaction that it
 * has rolled back.)
 */
function handle(connection: Connection, open: OpenTransaction): Tx {
  const execute = <T>(query: Sql, work: (query: Sql) => T, changedBy: (result: T) => number): T => {
    open.requireOpen();
    try {
      const { isRead, effect } = connection.kindOf(query);
      const result = work(query);
      if (!isRead) {
        open.mayHaveWritten = true;
        open.changes.add(effect, query.params, changedBy(result));
      }
      return result;
    } catch (error) {
      open.failure = error;
      throw error;
    }
  };
  const run = async (query: Sql): Promise<number> => execute(query, connection.run, (changed) => changed);
  return {
    all: async (query) => execute(query, connection.all, (rows) => rows.length),
    get: async (query) => execute(query, connection.get, (row) => (row ? 1 : 0)),
    run,
    runOne: async (query) => (await run(query)) === 1,
    afterCommit: open.afterCommit,
    emit: open.emit,
    stored: open.stored,
  };
}
