import type { FileHandle } from 'node:fs/promises';
import { systemClock, type Clock } from '../../core/clock.js';
import type { DatabaseFigures, Engine, Queryable } from '../engine.js';
import { SubscribedFeed } from '../feed-subscribers.js';
import { migrate } from '../migrate.js';
import { migrations as allMigrations } from '../migrations/all.js';
import type { Migration } from '../migrations/migration.js';
import { asNumber, sql } from '../sql.js';
import { createWatchers } from '../watchers.js';
import { silentLog, type StorageLog } from '../storage-log.js';
import { copyInThread, writeBackup } from './backup.js';
import { ChangeFeed } from './change-feed.js';
import { createCheckpointThread } from './checkpoint-thread.js';
import { createCheckpointer } from './checkpointer.js';
import type { Connection } from './connection.js';
import { createDatabaseFile, openWal } from './files.js';
import { createGate, type Gate } from '../gate.js';
import { BUSY_LIMIT_MS, createLock } from './lock.js';
import { keepJournalsInMemory, openReader, openWriter } from './open-connections.js';
import { watchFeed } from './watch-feed.js';
import { createGathering } from './gathering.js';
import { createReads } from './reads.js';
import { sqliteDialect } from './schema-dialect.js';
import { sqliteSearch } from './search.js';
import { createSlicedCounter, type SearchCounter } from '../search-counter.js';
import { createCountThread } from './count-thread.js';
import { createWriter, type WriterParts } from './writer.js';

/**
 * `full`: acknowledged means on disk. `relaxed`: a power failure may lose the last moments, a killed process loses
 * nothing.
 */
type Durability = 'full' | 'relaxed';

export interface SqliteOptions {
  /** A path, created with its folder if missing, or `:memory:`. */
  readonly file: string;
  readonly durability: Durability;
  /** The steps of the schema; Pipit's own by default. */
  readonly migrations?: readonly Migration[];
  readonly log?: StorageLog;
  readonly clock?: Clock;
  /**
   * Whether using the engine inside a transaction body throws; on by default. If off, such code reads old data or
   * deadlocks until `busyLimitMs`.
   */
  readonly detectsNesting?: boolean;
  /** The time limit for locks; StorageUnavailable after it. */
  readonly busyLimitMs?: number;
  /** The initial contents of a database in memory, as `Engine.backup` writes them; empty by default. */
  readonly image?: Buffer;
  /** Makes the log durable: `fdatasync`, or a test's replacement. */
  readonly sync?: (wal: FileHandle) => Promise<void>;
}

type Settings = Required<Omit<SqliteOptions, 'image'>> & Pick<SqliteOptions, 'image'>;

/**
 * Opens a SQLite database and brings its schema up to date. Throws WrongDatabase for a file of another program or a
 * newer Pipit and leaves it untouched; StorageUnavailable if it cannot be opened.
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const settings: Settings = {
    migrations: allMigrations,
    log: silentLog,
    clock: systemClock,
    detectsNesting: true,
    busyLimitMs: BUSY_LIMIT_MS,
    sync: (wal) => wal.datasync(),
    ...options,
  };
  const { engine, connection } = await (settings.file === ':memory:'
    ? openMemory(settings)
    : openFile(settings));
  try {
    await migrate(engine, sqliteDialect, settings.migrations, settings.clock);
    keepJournalsInMemory(connection);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Opened {
  readonly engine: Engine;
  /** The writing connection. */
  readonly connection: Connection;
}

/** Uses one connection: a second one would be a second database. */
async function openMemory(settings: Settings): Promise<Opened> {
  const connection = await openWriter(settings.image ?? ':memory:', settings);
  const lock = createLock();
  const gate = createGate(settings.detectsNesting);
  const reads = createReads({ ...settings, gate, connection, lock, reader: undefined });
  // No other process can write to memory.
  const feed = new SubscribedFeed({ db: reads, listen: () => () => undefined });
  const parts: WriterParts = {
    ...settings,
    gate,
    connection,
    lock,
    sync: noSync,
    watchers: createWatchers(),
    feed: new ChangeFeed(connection, connection, settings.clock),
    onEvents: feed.ring,
    onCommit: () => undefined,
  };
  const engine: Engine = {
    ...reads,
    searchCounter: createSlicedCounter(reads, sqliteSearch),
    changesIn: parts.watchers.watch,
    catchUp: () => undefined,
    figures: () => readFigures(reads),
    search: sqliteSearch,
    feed,
    tx: createWriter(parts),
    backup: (file) => writeBackup(file, (target) => lock.run(Infinity, () => connection.copyTo(target))),
    close: () => {
      feed.close();
      return gate.close(() => lock.run(Infinity, async () => connection.close()));
    },
  };
  return { engine, connection };
}

async function openFile(settings: Settings): Promise<Opened> {
  const { log, durability } = settings;
  const file = await createDatabaseFile(settings.file);
  const connection = await openWriter(file, settings);
  const reader = await openReader(file, settings);
  const wal = await openWal(file);
  const lock = createLock();
  const gate = createGate(settings.detectsNesting);
  const thread = createCheckpointThread(file, log);
  const counter = createCountThread(file, log);
  const checkpointer = createCheckpointer({
    thread,
    walState: reader.walState,
    exclusive: (work) => lock.run(Infinity, work),
    log,
  });
  const changes = new ChangeFeed(connection, reader, settings.clock);
  const reads = createReads({ ...settings, gate, connection, lock, reader });
  const feed = new SubscribedFeed({ db: reads, listen: (ring) => watchFeed(reader, ring) });
  const parts: WriterParts = {
    ...settings,
    gate,
    connection,
    lock,
    sync: durability === 'full' ? () => settings.sync(wal) : noSync,
    watchers: createWatchers(() => changes.missed()),
    feed: changes,
    onEvents: feed.ring,
    onCommit: checkpointer.nudge,
  };

  const shutDown = async (): Promise<void> => {
    await checkpointer.close();
    await thread.close();
    await counter.close();
    await lock.run(Infinity, async () => {
      moveLog(connection, log);
      reader.close();
      connection.close();
    });
    await wal.close();
  };

  const engine: Engine = {
    ...reads,
    searchCounter: behindGate(gate, counter),
    changesIn: parts.watchers.watch,
    catchUp: createGathering(connection.expectOtherCommits),
    figures: () => readFigures(reads),
    search: sqliteSearch,
    feed,
    tx: createWriter(parts),
    backup: (target) => writeBackup(target, (partial) => copyInThread(file, partial)),
    close: () => {
      feed.close();
      return gate.close(shutDown);
    },
  };
  return { engine, connection };
}

/** A killed process loses nothing without a sync. */
const noSync = (): Promise<void> => Promise.resolve();

async function readFigures(reads: Queryable): Promise<DatabaseFigures> {
  const row = await reads.get(
    sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  );
  return { bytes: asNumber(row?.['bytes']) };
}

/** Guards the counter: inside a transaction it would not see uncommitted writes. */
function behindGate(gate: Gate, counter: SearchCounter): SearchCounter {
  return {
    countByTime: async (...asked) => {
      gate.enter();
      return counter.countByTime(...asked);
    },
  };
}

/** Empties the log to make the next start faster. On a full disk the log stays, and nothing is lost. */
function moveLog(connection: Connection, log: StorageLog): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch (err) {
    log.warn({ err }, 'the last checkpoint failed');
  }
}
