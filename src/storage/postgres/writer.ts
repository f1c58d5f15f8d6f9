import type { Engine, Tx } from '../engine.js';
import type { Gate } from '../gate.js';
import type { StorageLog } from '../storage-log.js';
import type { Connection, Connections } from './connections.js';
import { Conflict, ConnectionLost } from './driver-errors.js';
import { retryConflicts } from './retry.js';
import { openTransaction, type OpenTransaction } from './transaction.js';

export interface WriterParts {
  readonly connections: Connections;
  readonly gate: Gate;
  readonly busyLimitMs: number;
  readonly log: StorageLog;
}

/**
 * `SERIALIZABLE` is what bodies rely on: they read, decide and write as if they were alone. `READ COMMITTED` is for
 * migrations, which wait for a lock and must then see what its holder did.
 */
export type Isolation = 'SERIALIZABLE' | 'READ COMMITTED';

interface Outcome<T> {
  readonly result: T;
  readonly effects: OpenTransaction['effects'];
}

/** Runs transactions, each on a connection of its own, anew whenever another got in the way. */
export function createWriter(parts: WriterParts, isolation: Isolation): Engine['tx'] {
  return async (name, body) => {
    const outcome = await retryConflicts(
      () => parts.connections.use((connection) => attempt(parts, connection, isolation, name, body)),
      parts.busyLimitMs,
    );
    for (const effect of outcome.effects) runEffect(parts.log, name, effect);
    return outcome.result;
  };
}

async function attempt<T>(
  { gate }: WriterParts,
  connection: Connection,
  isolation: Isolation,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const begun = connection.command(`BEGIN ISOLATION LEVEL ${isolation} READ WRITE`);
  // It travels with the first statement of the body and is looked at after it.
  begun.catch(() => undefined);
  const open = openTransaction(connection, name);
  try {
    const result = await gate.runBody(() => body(open.tx));
    await begun;
    await open.settled();
    if (open.failure !== undefined) throw open.failure;
    open.end();
    await connection.command('COMMIT');
    return { result, effects: open.effects };
  } catch (error) {
    open.end();
    await rollback(connection, open.failure ?? error);
    // A body may have made something else of it, but only a Conflict is tried again.
    throw open.failure instanceof Conflict ? open.failure : error;
  }
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
