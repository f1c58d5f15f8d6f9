import { systemClock, type Clock } from '../../core/clock.js';
import type { Engine, Queryable } from '../engine.js';
import { UnsupportedDatabase } from '../errors.js';
import { createGate } from '../gate.js';
import { migrate } from '../migrate.js';
import { migrations as allMigrations } from '../migrations/all.js';
import type { Migration } from '../migrations/migration.js';
import type { Sql } from '../sql.js';
import { silentLog, type StorageLog } from '../storage-log.js';
import { createConnections, type Answer } from './connections.js';
import { createDrain } from './drain.js';
import { ReadOnly } from './driver-errors.js';
import { retryConflicts } from './retry.js';
import { postgresDialect } from './schema-dialect.js';
import { checkServer } from './server-check.js';
import { createWriter } from './writer.js';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of libpq behind a question mark. */
  readonly url: string;
  /** `full`: acknowledged means on the server's disk. `relaxed`: a crash of the server may lose the last moments. */
  readonly durability: 'full' | 'relaxed';
  /** The steps of the schema; all of Pipit's unless a test says otherwise. */
  readonly migrations?: readonly Migration[];
  readonly log?: StorageLog;
  readonly clock?: Clock;
  /** Whether using the engine inside a transaction body throws; on unless said otherwise. */
  readonly detectsNesting?: boolean;
  /** How long a statement waits for a lock, and a transaction is tried again, before StorageUnavailable. */
  readonly busyLimitMs?: number;
}

const BUSY_LIMIT_MS = 5_000;

/**
 * Opens a PostgreSQL database, 15 or newer, and brings its schema up to date. Throws UnsupportedDatabase for a server
 * that is too old or a database of another encoding, WrongDatabase for one that is not Pipit's or a newer Pipit's, and
 * StorageUnavailable when the server cannot be reached.
 *
 * A lost server is met again by the next call: connections are made as they are needed.
 */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const settings = {
    migrations: allMigrations,
    log: silentLog,
    clock: systemClock,
    detectsNesting: true,
    busyLimitMs: BUSY_LIMIT_MS,
    ...options,
  };
  const { log, clock } = settings;
  const connections = createConnections(settings);
  const parts = { ...settings, connections, gate: createGate(settings.detectsNesting) };
  const reads = createReads((query) =>
    retryConflicts(() => connections.use((connection) => connection.run(query)), settings.busyLimitMs),
  );
  try {
    await checkServer(reads, log);
    await migrate({ tx: createWriter(parts, 'READ COMMITTED') }, postgresDialect, settings.migrations, clock);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return guarded(parts, reads, createWriter(parts, 'SERIALIZABLE'));
}

/** Reads outside transactions, each a snapshot of its own. */
function createReads(run: (query: Sql) => Promise<Answer>): Queryable {
  const read = async (query: Sql): Promise<Answer> => {
    try {
      return await run(query);
    } catch (error) {
      if (error instanceof ReadOnly) throw new Error('only a transaction can write', { cause: error });
      throw error;
    }
  };
  return {
    all: async (query) => (await read(query)).rows,
    get: async (query) => (await read(query)).rows[0],
  };
}

/** Lets in who may use the engine, and lets them end before it closes. */
function guarded(
  { gate, connections }: Parameters<typeof createWriter>[0],
  reads: Queryable,
  tx: Engine['tx'],
): Engine {
  const drain = createDrain();
  const enter = async <T>(work: () => Promise<T>): Promise<T> => {
    gate.enter();
    return drain.run(work);
  };
  let asked = 0;
  return {
    all: (query) => enter(() => reads.all(query)),
    get: (query) => enter(() => reads.get(query)),
    tx: (name, body) => enter(() => tx(name, body)),
    // What other processes committed is known here only by asking the server, and this may not wait: each answer
    // differs from the last, and nothing is kept in memory.
    changesIn: () => () => (asked += 1),
    backup: () =>
      Promise.reject(
        new UnsupportedDatabase('a PostgreSQL database is backed up with pg_dump, beside its key file'),
      ),
    close: () =>
      gate.close(async () => {
        await drain.idle();
        await connections.close();
      }),
  };
}
