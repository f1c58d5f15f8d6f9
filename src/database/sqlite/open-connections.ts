import { StorageUnavailable } from '../errors.js';
import { requireKnownSchema } from '../migrate.js';
import type { Migration } from '../migrations/migration.js';
import type { StatementWatch } from '../statement-watch.js';
import { isInMemory, openConnection, readsOf, type Connection } from './connection.js';
import { retryWhileBusy } from './lock.js';
import { sqliteDialect } from './schema-dialect.js';

export interface OpenSettings {
  readonly migrations: readonly Migration[];
  readonly busyLimitMs: number;
  readonly watch?: StatementWatch;
}

/**
 * The page caches in KiB, which SQLite writes as negative sizes. The writer's cache serves nearly all reads too
 * (reads.ts).
 */
const WRITER_CACHE = -16_384;
const READER_CACHE = -4_096;

/** A log that grew beyond this (a long backup) is truncated when it starts over. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** Opens the only writing connection. Throws WrongDatabase before changing anything in the file. */
export async function openWriter(file: string | Buffer, settings: OpenSettings): Promise<Connection> {
  const connection = openConnection(file, { readonly: false, watch: settings.watch });
  try {
    await retryWhileBusy(async () => {
      await requireOurs(connection, settings.migrations);
      setUpWriter(connection, file);
    }, settings.busyLimitMs);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Keeps what undoes a statement or a part of a transaction in memory. Otherwise SQLite copies each page that fan-out
 * changes to a temporary file, in two writes. Sorts stay in memory, too: call this after the migrations, which sort
 * whole tables.
 */
export function keepJournalsInMemory(connection: Connection): void {
  connection.pragma('temp_store = MEMORY');
}

/** Opens a connection for reads during an open transaction. */
export async function openReader(file: string, settings: OpenSettings): Promise<Connection> {
  const connection = openConnection(file, { readonly: true, watch: settings.watch });
  await retryWhileBusy(() => connection.pragma(`cache_size = ${READER_CACHE}`), settings.busyLimitMs);
  return connection;
}

async function requireOurs(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  await requireKnownSchema(readsOf(connection), sqliteDialect, migrations);
}

function setUpWriter(connection: Connection, file: string | Buffer): void {
  connection.pragma(`cache_size = ${WRITER_CACHE}`);
  if (isInMemory(file)) return;
  const mode = connection.pragma('journal_mode = WAL');
  if (mode !== 'wal') {
    throw new StorageUnavailable('the file system cannot hold a write-ahead log (is it a network drive?)');
  }
  connection.pragma('synchronous = NORMAL');
  connection.pragma('wal_autocheckpoint = 0');
  connection.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
}
