import type { Engine, Isolation, Tx } from '../engine.js';
import type { Gate } from '../gate.js';
import type { StorageLog } from '../storage-log.js';
import type { Changes } from './changes.js';
import type { Connection, Connections } from './connections.js';
import type { GroupCommit } from './group-commit.js';
import { Conflict, ConnectionLost } from './driver-errors.js';
import type { KeyedQueue } from './keyed-queue.js';
import { retryConflicts } from './retry.js';
import { openTransaction, type OpenTransaction } from './transaction.js';

export interface WriterParts {
  readonly connections: Connections;
  readonly gate: Gate;
  readonly changes: Changes;
  readonly groupCommit: GroupCommit;
  /** Where conflicting transactions of the same name retry one at a time: they probably touch the same rows. */
  readonly queues: KeyedQueue;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
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

interface Outcome<T> {
  readonly result: T;
  readonly effects: OpenTransaction['effects'];
  readonly mayHaveWritten: boolean;
}

/** Creates the function that runs transactions, each on its own connection, and retries after conflicts. */
export function createWriter(parts: WriterParts): Engine['tx'] {
  return async (name, body, isolation = 'serializable') => {
    // The caller waits for the disk, not the commit: group-commit.ts.
    const begin = `BEGIN ISOLATION LEVEL ${ISOLATION[isolation]} READ WRITE; SET LOCAL synchronous_commit TO off`;
    const outcome = await retryConflicts(
      () => parts.connections.use((connection) => attempt(parts, connection, begin, name, body)),
      parts.busyLimitMs,
      (work) => parts.queues.run(name, work),
    );
    if (outcome.mayHaveWritten) await parts.groupCommit.durable();
    for (const effect of outcome.effects) runEffect(parts.log, name, effect);
    return outcome.result;
  };
}

async function attempt<T>(
  { gate, changes }: WriterParts,
  connection: Connection,
  begin: string,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const started = connection.command(begin);
  // Sent together with the first statement of the body and checked after it.
  started.catch(() => undefined);
  const open = openTransaction(connection, name);
  try {
    const result = await gate.runBody(() => body(open.tx));
    await started;
    await open.settled();
    if (open.failure !== undefined) throw open.failure;
    open.end();
    await commit(connection, changes.notice(open.changes));
    changes.committed(open.changes);
    return { result, effects: open.effects, mayHaveWritten: open.mayHaveWritten };
  } catch (error) {
    open.end();
    await rollback(connection, open.failure ?? error);
    // The body may have replaced the error, but only a Conflict is retried.
    throw open.failure instanceof Conflict ? open.failure : error;
  }
}

/**
 * Commits, and sends the notification together with the commit. If it fails, the commit has failed too; the server
 * then answers ROLLBACK.
 */
async function commit(connection: Connection, notice: string | undefined): Promise<void> {
  const sent = notice === undefined ? undefined : connection.command(notice);
  sent?.catch(() => undefined);
  await connection.command('COMMIT');
  await sent;
}

/**
 * Rolls back. On a lost connection the server does so itself; ConnectionLost is thrown, so that the connection is not
 * reused.
 */
async function rollback(connection: Connection, reason: unknown): Promise<void> {
  if (reason instanceof ConnectionLost) throw reason;
  await connection.command('ROLLBACK');
}

/** Runs an effect and logs its error: the commit is final and must not look like a failed transaction. */
function runEffect(log: StorageLog, name: string, effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.warn({ tx: name, err: error }, 'an effect after a commit failed');
  }
}
