import type { Clock } from '../../core/clock.js';
import type { DatabaseFigures, Engine, Queryable } from '../engine.js';
import { UnsupportedDatabase } from '../errors.js';
import { createGate } from '../gate.js';
import { createSignal, type Signal } from '../../core/loop.js';
import { EngineCounts } from '../engine-counts.js';
import { SubscribedFeed } from '../feed-subscribers.js';
import { migrate } from '../migrate.js';
import type { Migration } from '../migrations/migration.js';
import { DEFAULTS, type Options } from '../options.js';
import { asNumber, sql } from '../sql.js';
import { CACHED_TABLES } from '../cached-tables.js';
import { createChangeFeed } from './change-feed.js';
import { createConnections, type ConnectionSettings } from './connections.js';
import { createDrain } from './drain.js';
import { createFeedBell, listenForBell } from './feed-bell.js';
import { createGroupCommit } from './group-commit.js';
import { retryWhileLocked } from './locked-tables.js';
import { createKeyedQueue } from './keyed-queue.js';
import { createReads } from './reads.js';
import { postgresDialect } from './schema-dialect.js';
import { createPostgresSearch } from './search.js';
import { createPostgresCounter } from './search-counter.js';
import { requireServer } from './server-check.js';
import { readServerFacts } from './server-facts.js';
import { createWriter, type WriterParts } from './writer.js';

export interface PostgresOptions extends Options {
  /** `postgres://user:password@host:port/database`, optionally with libpq parameters after `?`. */
  readonly url: string;
  /** The number of server processes that share the connections; 1 by default. */
  readonly processes?: number;
  /** The tables whose rows other processes may cache; those of cached-tables.ts by default. */
  readonly cachedTables?: readonly string[];
  /** How long the server may take to answer before it counts as lost; see connections.ts for the default. */
  readonly answerLimitMs?: number;
}

/**
 * Opens a PostgreSQL database, 15 or newer, and brings its schema up to date. Throws UnsupportedDatabase for an older
 * server or another encoding, WrongDatabase for a database of another program or a newer Pipit, and
 * StorageUnavailable if the server cannot be reached. Reconnects on demand after the server was lost.
 */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const counts = new EngineCounts();
  const settings = { ...DEFAULTS, processes: 1, cachedTables: CACHED_TABLES, ...options, counts };
  const { log, clock } = settings;
  const connections = createConnections(settings);
  const gate = createGate(settings.detectsNesting);
  const changeFeed = createChangeFeed(settings);
  const groupCommit = createGroupCommit(settings);
  const committed = createSignal();
  committed.listen(createFeedBell(connections));
  const parts = {
    ...settings,
    connections,
    gate,
    changeFeed,
    committed,
    onEvents: committed.notify,
    groupCommit,
    queues: createKeyedQueue(),
  };
  const tx = createWriter(parts);
  const reads = createReads(connections, settings.busyLimitMs);
  try {
    requireServer(await readServerFacts(reads), settings.processes, log);
    await migrateWithoutTimeout(parts, settings.migrations, clock);
  } catch (error) {
    await groupCommit.close();
    await connections.close();
    throw error;
  }
  return guarded(parts, reads, tx);
}

/** Migrates on a separate connection without a time limit: steps on large tables take long. */
async function migrateWithoutTimeout(
  parts: WriterParts & ConnectionSettings,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const connections = createConnections({ ...parts, answerLimitMs: 0 }, 1);
  try {
    // The table of the feed may not exist yet, and nothing is cached yet.
    const changeFeed = { ...parts.changeFeed, append: () => undefined };
    const tx = createWriter({ ...parts, connections, changeFeed });
    // After waiting for the lock a migration must see the changes of its former holder.
    await retryWhileLocked(parts.log, () =>
      migrate({ tx: (name, body) => tx(name, body, 'read-committed') }, postgresDialect, migrations, clock),
    );
  } finally {
    await connections.close();
  }
}

async function readFigures(reads: Queryable): Promise<DatabaseFigures> {
  const row = await reads.get(sql`
    SELECT pg_database_size(current_database()) AS bytes,
      (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections`);
  return { bytes: asNumber(row?.['bytes']), connections: asNumber(row?.['connections']) };
}

interface GuardedParts extends WriterParts, Pick<PostgresOptions, 'url'> {
  readonly clock: Clock;
  /** Notified after each commit with events. */
  readonly committed: Signal;
}

/** Guards all methods with the gate, and waits for running work before closing. */
function guarded(parts: GuardedParts, reads: Queryable, tx: Engine['tx']): Engine {
  const { gate, connections, changeFeed, groupCommit, counts, clock } = parts;
  const drain = createDrain();
  const enter = async <T>(work: () => Promise<T>): Promise<T> => {
    gate.enter();
    return drain.run(work);
  };
  const entering: Queryable = {
    all: (query) => enter(() => reads.all(query)),
    get: (query) => enter(() => reads.get(query)),
  };
  const feed = new SubscribedFeed({ db: entering, listen: (ring) => listenForBell(parts, ring), clock });
  parts.committed.listen(feed.ring);
  return {
    ...entering,
    searchCounter: createPostgresCounter(entering),
    search: createPostgresSearch(),
    feed,
    tx: (name, body, isolation) => enter(() => tx(name, body, isolation)),
    changesIn: changeFeed.changesIn,
    catchUp: changeFeed.catchUp,
    collect: () => [...counts.collect(connections.figures()), ...feed.lags.collect()],
    figures: () => readFigures(entering),
    backup: () =>
      Promise.reject(
        new UnsupportedDatabase('back up a PostgreSQL database with pg_dump, and its key file separately'),
      ),
    close: () => {
      feed.close();
      return gate.close(async () => {
        await drain.idle();
        await changeFeed.close();
        await groupCommit.close();
        await connections.close();
      });
    },
  };
}
