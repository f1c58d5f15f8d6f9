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
  /** Where transactions of one name go on that lost again and again: they meet on the same rows. */
  readonly lanes: KeyedQueue;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
}

/**
 * What a body relies on decides, as no level fits all. SERIALIZABLE keeps what a body read true to its commit, so no
 * feature can go wrong by a race that its author did not see; REPEATABLE READ would let two bodies each rely on what
 * the other takes away. Both refuse who changes a row that another changed since his snapshot, and SERIALIZABLE refuses
 * also who only read the same page: on a counter of one busy author or post most work is done again (32 writers to one
 * row commit a quarter as often, to 4 rows less than half). Under READ COMMITTED the second waits for the first and adds
 * to what it left.
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

/** Runs transactions, each on a connection of its own, anew whenever another got in the way. */
export function createWriter(parts: WriterParts): Engine['tx'] {
  return async (name, body, isolation = 'serializable') => {
    // The commit itself does not wait for the disk, the caller does: group-commit.ts.
    const begin = `BEGIN ISOLATION LEVEL ${ISOLATION[isolation]} READ WRITE; SET LOCAL synchronous_commit TO off`;
    const outcome = await retryConflicts(
      () => parts.connections.use((connection) => attempt(parts, connection, begin, name, body)),
      parts.busyLimitMs,
      (work) => parts.lanes.run(name, work),
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
  const begun = connection.command(begin);
  // It travels with the first statement of the body and is looked at after it.
  begun.catch(() => undefined);
  const open = openTransaction(connection, name);
  try {
    const result = await gate.runBody(() => body(open.tx));
    await begun;
    await open.settled();
    if (open.failure !== undefined) throw open.failure;
    open.end();
    await commit(connection, changes.notice(open.rowEffects));
    changes.committed(open.rowEffects);
    return { result, effects: open.effects, mayHaveWritten: open.mayHaveWritten };
  } catch (error) {
    open.end();
    await rollback(connection, open.failure ?? error);
    // A body may have made something else of it, but only a Conflict is tried again.
    throw open.failure instanceof Conflict ? open.failure : error;
  }
}

/** The notice travels with the commit; when it fails, so has the commit, though the server then says ROLLBACK. */
async function commit(connection: Connection, notice: string | undefined): Promise<void> {
  const noticed = notice === undefined ? undefined : connection.command(notice);
  noticed?.catch(() => undefined);
  await connection.command('COMMIT');
  await noticed;
}

/** On a lost connection the server rolls back by itself. Throws ConnectionLost, so that the connection is not used again. */
async function rollback(connection: Connection, reason: unknown): Promise<void> {
  if (reason instanceof ConnectionLost) throw reason;
  await connection.command('ROLLBACK');
}

/** The commit stands: an effect that throws must not make the caller believe otherwise. */
function runEffect(log: StorageLog, name: string, effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.warn({ tx: name, err: error }, 'an effect after a commit failed');
  }
}
