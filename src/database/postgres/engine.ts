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
import { hasDistributedTables } from './citus/cluster.js';
import { createDoubts, type Doubts } from './citus/in-doubt.js';
import { afterCommits, createChangeFeed } from './change-feed.js';
import type { StatementWatch } from '../statement-watch.js';
import { createConnections, type ConnectionSettings } from './connections.js';
import { createDrain } from './drain.js';
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
  /** The tables whose rows other processes may cache; those of cached-tables.ts by default. */
  readonly cachedTables?: readonly string[];
  /** How long the server may take to answer before it counts as lost; see connections.ts for the default. */
  readonly answerLimitMs?: number;
  /** Finds slow statements. */
  readonly watch?: StatementWatch;
}

/**
 * Opens a PostgreSQL database, 15 or newer, and brings its schema up to date. Throws UnsupportedDatabase for an older
 * server or another encoding, WrongDatabase for a database of another program or a newer Pipit, and
 * StorageUnavailable if the server cannot be reached. Reconnects on demand after the server was lost.
 */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const counts = new EngineCounts();
  const settings = { ...DEFAULTS, cachedTables: CACHED_TABLES, ...options, counts };
  const { clock } = settings;
  let doubts: Doubts | undefined;
  const connections = createConnections({ ...settings, onNotice: (message) => doubts?.take(message) });
  const reads = createReads(connections, settings.busyLimitMs);
  const isDistributed = await prepare(reads, settings).catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });
  const gate = createGate(settings.detectsNesting);
  const changeFeed = createChangeFeed({ ...settings, isDistributed });
  // Transactions over several servers wait for each disk themselves.
  const groupCommit = createGroupCommit(isDistributed ? { ...settings, durability: 'relaxed' } : settings);
  const committed = createSignal();
  const parts = {
    ...settings,
    connections,
    gate,
    changeFeed,
    committed,
    onEvents: committed.notify,
    groupCommit,
    queues: createKeyedQueue(),
    isDistributed,
  };
  const tx = createWriter(parts);
  if (isDistributed) doubts = createDoubts({ reads, tx, log: settings.log });
  try {
    await migrateWithoutTimeout(parts, settings.migrations, clock);
  } catch (error) {
    await groupCommit.close();
    await connections.close();
    throw error;
  }
  return guarded({ ...parts, doubts }, reads, tx);
}

/** Throws UnsupportedDatabase as `openPostgres` does. Returns whether the tables are distributed. */
async function prepare(
  reads: Queryable,
  { processes, log }: Pick<ConnectionSettings, 'processes' | 'log'>,
): Promise<boolean> {
  const facts = await readServerFacts(reads);
  requireServer(facts, processes, log);
  return facts.citusVersion !== undefined && hasDistributedTables(reads, log);
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

interface GuardedParts extends WriterParts {
  readonly clock: Clock;
  /** Notified after each commit with events. */
  readonly committed: Signal;
  readonly doubts: Doubts | undefined;
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
  const feedDb = parts.isDistributed ? afterCommits(entering) : entering;
  const feed = new SubscribedFeed({ db: feedDb, listen: changeFeed.listen, clock });
  parts.committed.listen(feed.ring);
  return {
    ...entering,
    searchCounter: createPostgresCounter(entering, parts),
    search: createPostgresSearch(parts),
    feed,
    tx: (name, body, isolation) => enter(() => tx(name, body, isolation)),
    changesIn: changeFeed.changesIn,
    catchUp: changeFeed.catchUp,
    collect: () => [...counts.collect(connections.figures()), ...feed.lags.collect()],
    explain: (query) => enter(() => connections.use((connection) => connection.explain(query))),
    figures: () => readFigures(entering),
    backup: () =>
      Promise.reject(
        new UnsupportedDatabase('back up a PostgreSQL database with pg_dump, and its key file separately'),
      ),
    close: () => {
      feed.close();
      parts.doubts?.close();
      return gate.close(async () => {
        await drain.idle();
        await changeFeed.close();
        await groupCommit.close();
        await connections.close();
      });
    },
  };
}
