import { beginOnCluster, COMMIT_ON_CLUSTER } from './citus/commits.js';
import type { Engine, Isolation, Tx } from '../engine.js';
import type { Gate } from '../gate.js';
import type { Sql } from '../sql.js';
import type { EngineCounts } from '../engine-counts.js';
import type { StorageLog } from '../storage-log.js';
import { OpenTransaction } from '../transaction.js';
import type { ChangeFeed } from './change-feed.js';
import type { Answer, Connection, Connections } from './connections.js';
import type { GroupCommit } from './group-commit.js';
import { StorageUnavailable } from '../errors.js';
import { Conflict, ConnectionLost, TransactionAborted } from './driver-errors.js';
import type { KeyedQueue } from './keyed-queue.js';
import { retryConflicts } from './retry.js';

export interface WriterParts {
  readonly connections: Connections;
  readonly gate: Gate;
  readonly changeFeed: ChangeFeed;
  /** Called after each commit with events. */
  onEvents(): void;
  readonly groupCommit: GroupCommit;
  /** Where conflicting transactions of the same name retry one at a time: they probably touch the same rows. */
  readonly queues: KeyedQueue;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
  readonly counts: EngineCounts;
  /** Whether rows are on several servers (citus/). */
  readonly isDistributed?: boolean;
}

/**
 * The level for each isolation. SERIALIZABLE keeps what a body read true until its commit, so no feature can break by
 * an unseen race; under REPEATABLE READ two bodies could each rely on what the other removes. Both reject a change of
 * a row changed since the snapshot, and SERIALIZABLE also reads of the same page: on a counter of one busy author or
 * post most work is repeated (32 writers to one row commit a quarter as often, to 4 rows less than half). Under READ
 * COMMITTED the second writer waits for the first and adds to its result.
 */
const ISOLATION: Readonly<Record<Isolation, string>> = {
  serializable: 'SERIALIZABLE',
  'read-committed': 'READ COMMITTED',
};

/** On one server the caller waits for the disk, not the commit: group-commit.ts. */
function beginAt(isolation: Isolation, isDistributed: boolean): string {
  const level = ISOLATION[isolation];
  if (isDistributed) return beginOnCluster(isolation, level);
  return `BEGIN ISOLATION LEVEL ${level} READ WRITE; SET LOCAL synchronous_commit TO off`;
}

interface Outcome<T> {
  readonly result: T;
  readonly open: OpenTransaction;
}

/** Creates the function that runs transactions, each on its own connection, and retries after conflicts. */
export function createWriter(parts: WriterParts): Engine['tx'] {
  return async (name, body, isolation = 'serializable') => {
    const begin = beginAt(isolation, parts.isDistributed ?? false);
    const { result, open } = await retryConflicts(
      () => parts.connections.use((connection) => attempt(parts, connection, begin, name, body)),
      parts.busyLimitMs,
      (work) => parts.queues.run(name, work),
    );
    if (open.mayHaveWritten) await parts.groupCommit.durable();
    open.runEffects(parts.log);
    return result;
  };
}

async function attempt<T>(
  { gate, changeFeed, onEvents, counts, isDistributed }: WriterParts,
  connection: Connection,
  begin: string,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const begunAt = changeFeed.begin();
  let refusal: unknown;
  // Sent together with the first statement of the body and checked after it.
  const started = connection.command(begin).catch((error: unknown) => (refusal = error));
  const open = new OpenTransaction(name);
  const { tx, settled } = handle(connection, open);
  try {
    const result = await gate.runBody(() => body(tx));
    await started;
    await settled();
    if (refusal !== undefined || open.failure !== undefined) throw refusal ?? open.failure;
    open.end();
    const commitText = isDistributed && open.mayHaveWritten ? COMMIT_ON_CLUSTER : 'COMMIT';
    await commit(connection, changeFeed, open, commitText);
    changeFeed.committed(open.changes, begunAt);
    if (open.events.length > 0) onEvents();
    return { result, open };
  } catch (error) {
    open.end();
    await started;
    const first = refusal ?? open.failure;
    await rollback(connection, first ?? error);
    const reason = reasonOf(first, error);
    if (reason instanceof Conflict) counts.addRetry();
    throw reason;
  }
}

/** Returns what to throw: the body may have replaced the first error, or met one that only says that there was one. */
function reasonOf(first: unknown, error: unknown): unknown {
  if (first instanceof StorageUnavailable || error instanceof TransactionAborted) return first ?? error;
  return error;
}

/**
 * Commits, and sends the entry of the feed together with the commit. If it fails, the commit has failed too; the
 * server then answers ROLLBACK.
 */
async function commit(
  connection: Connection,
  changeFeed: ChangeFeed,
  { changes, events }: OpenTransaction,
  commitText: string,
): Promise<void> {
  const entry = changeFeed.append(changes, events);
  if (entry === undefined) return connection.command(commitText);
  let failure: unknown;
  // Answered before the commit, which then fails for this reason alone.
  const added = connection.run(entry).catch((error: unknown) => (failure = error));
  try {
    await connection.command(commitText);
  } catch (error) {
    await added;
    const reason = failure ?? error;
    if (!(reason instanceof Conflict)) changeFeed.unanswered();
    throw reason;
  }
  await added;
  if (failure !== undefined) throw failure;
}

/**
 * Rolls back. On a lost connection the server does so itself; ConnectionLost is thrown, so that the connection is not
 * reused.
 */
async function rollback(connection: Connection, reason: unknown): Promise<void> {
  if (reason instanceof ConnectionLost) throw reason;
  await connection.command('ROLLBACK');
}

/**
 * Creates the handle for a body. After a failed statement PostgreSQL refuses all others; so does the handle, without
 * sending them. `settled` resolves when all statements are answered, including those that the body did not await.
 */
function handle(connection: Connection, open: OpenTransaction): { tx: Tx; settled: () => Promise<unknown> } {
  /** Answers arrive in the order of sending: after the last one, all have arrived. */
  let last: Promise<unknown> = Promise.resolve();
  const execute = async (query: Sql): Promise<Answer> => {
    open.requireOpen();
    const answer = connection.run(query).catch((error: unknown) => {
      open.failure ??= error;
      throw error;
    });
    last = answer.then(
      (answered) => {
        open.changes.add(answered.effect, query.params, answered.changed);
        open.mayHaveWritten ||= answered.mayHaveWritten;
      },
      () => undefined,
    );
    return answer;
  };
  const tx: Tx = {
    all: async (query) => (await execute(query)).rows,
    get: async (query) => (await execute(query)).rows[0],
    run: async (query) => (await execute(query)).changed,
    runOne: async (query) => (await execute(query)).changed === 1,
    afterCommit: open.afterCommit,
    emit: open.emit,
    stored: open.stored,
  };
  return { tx, settled: () => last };
}
