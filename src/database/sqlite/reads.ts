import type { Queryable } from '../engine.js';
import type { Connection } from './connection.js';
import { retryWhileBusy, type Lock } from './lock.js';
import type { Gate } from '../gate.js';
import { Busy } from './driver-errors.js';

export interface ReadParts {
  readonly connection: Connection;
  /** Serves reads while a transaction is open on `connection`; undefined for `:memory:`, where reads wait. */
  readonly reader: Connection | undefined;
  readonly lock: Lock;
  readonly gate: Gate;
  readonly busyLimitMs: number;
}

/**
 * Creates reads outside transactions, which see only committed data.
 *
 * The writer's connection serves them while no transaction is open on it: its page cache survives its own commits,
 * while a second connection drops its cache at each commit.
 */
export function createReads(parts: ReadParts): Queryable {
  const { connection, reader, gate } = parts;

  const read = async <T>(query: (on: Connection) => T): Promise<T> => {
    gate.enter();
    const source = connection.inTransaction ? reader : connection;
    if (!source) return parts.lock.run(parts.busyLimitMs, async () => query(connection));
    try {
      const found = query(source);
      // It may contain commits of other processes that caches do not know yet.
      connection.expectOtherCommits();
      return found;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
    }
    // Readers meet a lock only while another process recovers or closes the log; a first attempt without promises is
    // faster.
    const found = await retryWhileBusy(() => query(reader ?? source), parts.busyLimitMs);
    connection.expectOtherCommits();
    return found;
  };

  return {
    all: (query) => read((on) => on.readAll(query)),
    get: (query) => read((on) => on.readOne(query)),
  };
}
