import type { Tx } from '../engine.js';
import type { StorageLog } from '../storage-log.js';
import type { Changes } from './changes.js';
import type { Connection } from './connection.js';
import { Busy } from './driver-errors.js';
import type { Gate } from '../gate.js';
import type { GroupCommit } from './group-commit.js';
import type { Lock } from './lock.js';
import { retryWhileBusy } from './retry.js';
import { openTransaction, type OpenTransaction } from './transaction.js';

export interface WriterParts {
  readonly connection: Connection;
  readonly lock: Lock;
  readonly gate: Gate;
  readonly groupCommit: GroupCommit;
  readonly changes: Changes;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
  /** Called after each commit. */
  onCommit(): void;
}

/** A body this slow delays every other writer. */
const SLOW_MS = 1_000;

interface Outcome<T> {
  readonly result: T;
  readonly effects: OpenTransaction['effects'];
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
    for (const effect of outcome.effects) runEffect(parts.log, name, effect);
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
  const open = openTransaction(connection, name);
  try {
    const result = await parts.gate.runBody(() => body(open.tx));
    if (open.failure !== undefined) throw open.failure;
    open.end();
    connection.commit();
    parts.changes.committed(open.changes);
    if (open.mayHaveWritten) parts.groupCommit.committed();
    parts.onCommit();
    return { result, effects: open.effects };
  } catch (error) {
    open.end();
    connection.rollback();
    // The body may have replaced the error, but only Busy is retried.
    throw open.failure instanceof Busy ? open.failure : error;
  }
}

/** Runs an effect and logs its error: the commit is final and must not look like a failed transaction. */
function runEffect(log: StorageLog, name: string, effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.warn({ tx: name, err: error }, 'an effect after a commit failed');
  }
}
