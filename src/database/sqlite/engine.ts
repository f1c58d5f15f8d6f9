import type { FileHandle } from 'node:fs/promises';
import type { DatabaseFigures, Engine, Queryable } from '../engine.js';
import { EngineCounts } from '../engine-counts.js';
import { SubscribedFeed } from '../feed-subscribers.js';
import { migrate } from '../migrate.js';
import { DEFAULTS, type Options } from '../options.js';
import { asNumber, sql } from '../sql.js';
import type { StatementWatch } from '../statement-watch.js';
import { createWatchers } from '../watchers.js';
import type { StorageLog } from '../storage-log.js';
import { copyInThread, writeBackup } from './backup.js';
import { ChangeFeed } from './change-feed.js';
import { createCheckpointThread } from './checkpoint-thread.js';
import { createCheckpointer } from './checkpointer.js';
import type { Connection } from './connection.js';
import { createDatabaseFile, openWal } from './files.js';
import { createGate, type Gate } from '../gate.js';
import { createLock, type Lock } from './lock.js';
import { keepJournalsInMemory, openReader, openWriter } from './open-connections.js';
import { watchFeed } from './watch-feed.js';
import { createGathering } from '../gathering.js';
import { createReads } from './reads.js';
import { sqliteDialect } from './schema-dialect.js';
import { sqliteSearch } from './search.js';
import { createSlicedCounter, type SearchCounter } from '../search-counter.js';
import { createCountThread } from './count-thread.js';
import { createWriter } from './writer.js';

export interface SqliteOptions extends Options {
  /** A path, created with its folder if missing, or `:memory:`. */
  readonly file: string;
  /** The initial contents of a database in memory, as `Engine.backup` writes them; empty by default. */
  readonly image?: Buffer;
  /** Makes the log durable: `fdatasync`, or a test's replacement. */
  readonly sync?: (wal: FileHandle) => Promise<void>;
  /** Finds slow statements. */
  readonly watch?: StatementWatch;
}

type Settings = SqliteOptions & Required<Options>;

/**
 * Opens a SQLite database and brings its schema up to date. Throws WrongDatabase for a file of another program or a
 * newer Pipit and leaves it untouched; StorageUnavailable if it cannot be opened.
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const settings = { ...DEFAULTS, ...options };
  const opened = await (settings.file === ':memory:' ? openMemory(settings) : openFile(settings));
  const engine = engineOver(settings, opened);
  try {
    await migrate(engine, sqliteDialect, settings.migrations, settings.clock);
    keepJournalsInMemory(opened.connection);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** What differs between a database in memory and one in a file. */
interface Opened {
  /** The writing connection. */
  readonly connection: Connection;
  /** Undefined for a database in memory: a second connection would be a second database. */
  readonly reader: Connection | undefined;
  readonly lock: Lock;
  /** Makes the log durable. */
  sync(): Promise<void>;
  /** The size of the log; absent in memory. */
  readonly logBytes?: () => Promise<number>;
  onCommit(): void;
  readonly counter: SearchCounter | undefined;
  copyTo(target: string): Promise<void>;
  shutDown(): Promise<void>;
}

async function openMemory(settings: Settings): Promise<Opened> {
  const connection = await openWriter(settings.image ?? ':memory:', settings);
  const lock = createLock();
  return {
    connection,
    reader: undefined,
    lock,
    sync: noSync,
    onCommit: () => undefined,
    counter: undefined,
    copyTo: (target) => lock.run(Infinity, () => connection.copyTo(target)),
    shutDown: () => lock.run(Infinity, async () => connection.close()),
  };
}

async function openFile(settings: Settings): Promise<Opened> {
  const { log, durability, sync = (handle) => handle.datasync() } = settings;
  const file = await createDatabaseFile(settings.file);
  const connection = await openWriter(file, settings);
  const reader = await openReader(file, settings);
  const wal = await openWal(file);
  const lock = createLock();
  const thread = createCheckpointThread(file, log);
  const counter = createCountThread(file, log);
  const checkpointer = createCheckpointer({
    thread,
    walState: reader.walState,
    exclusive: (work) => lock.run(Infinity, work),
    log,
  });
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
  return {
    connection,
    reader,
    lock,
    sync: durability === 'full' ? () => sync(wal) : noSync,
    logBytes: async () => (await wal.stat()).size,
    onCommit: checkpointer.nudge,
    counter,
    copyTo: (target) => copyInThread(file, target),
    shutDown,
  };
}

function engineOver(settings: Settings, opened: Opened): Engine {
  const { connection, reader, counter } = opened;
  const gate = createGate(settings.detectsNesting);
  const reads = createReads({ ...settings, ...opened, gate });
  // No other process can write to memory.
  const listen = reader ? (ring: () => void) => watchFeed(reader, ring) : () => () => undefined;
  const counts = new EngineCounts();
  const feed = new SubscribedFeed({ db: reads, listen, clock: settings.clock });
  const changes = new ChangeFeed(connection, reader ?? connection, settings.clock);
  const watchers = createWatchers(reader && (() => changes.missed()));
  return {
    ...reads,
    searchCounter: counter ? behindGate(gate, counter) : createSlicedCounter(reads, sqliteSearch),
    changesIn: watchers.watch,
    catchUp: reader ? createGathering(connection.expectOtherCommits) : () => undefined,
    explain: async (query) => {
      gate.enter();
      return (reader ?? connection).explain(query);
    },
    figures: () => readFigures(reads, opened),
    search: sqliteSearch,
    feed,
    collect: () => [...counts.collect(), ...feed.lags.collect()],
    tx: createWriter({ ...settings, ...opened, gate, watchers, counts, feed: changes, onEvents: feed.ring }),
    backup: (file) => writeBackup(file, opened.copyTo),
    close: () => {
      feed.close();
      return gate.close(opened.shutDown);
    },
  };
}

/** A killed process loses nothing without a sync. */
const noSync = (): Promise<void> => Promise.resolve();

async function readFigures(reads: Queryable, { logBytes }: Opened): Promise<DatabaseFigures> {
  const row = await reads.get(
    sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  );
  return { bytes: asNumber(row?.['bytes']), logBytes: await logBytes?.() };
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
