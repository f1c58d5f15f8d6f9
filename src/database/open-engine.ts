import { parseDatabaseUrl } from './database-url.js';
import type { Distribution } from './distribution.js';
import type { Engine } from './engine.js';
import { UnsupportedDatabase } from './errors.js';
import type { Inspection } from './inspection.js';
import type { DatabaseCopies } from './database-copies.js';
import type { DatabaseSnapshot, DumpTarget, ScratchDatabase } from './server-dump.js';
import type { StoredRows } from './stored-rows.js';
import { openSqlite, type SqliteOptions } from './sqlite/engine.js';
import { inspectSqlite } from './sqlite/health.js';

/** Options of both engines. */
export type EngineOptions = Omit<SqliteOptions, 'file' | 'sync'>;

/**
 * Opens the database of a URL and brings its schema up to date: `sqlite:pipit.db`,
 * `sqlite:/var/lib/pipit.db`, `sqlite::memory:`, `postgres://user:password@host/database`. Throws UnsupportedDatabase
 * for any other kind, and the errors of the engine's open function.
 */
export async function openEngine(databaseUrl: string, options: EngineOptions): Promise<Engine> {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) return openSqlite({ ...options, file });
  // The driver takes as long to load as a small database to open.
  const { openPostgres } = await import('./postgres/engine.js');
  return openPostgres({ ...options, url: databaseUrl });
}

/** Opens a database as `openEngine` does, and closes it after the work. */
export async function useEngine<T>(
  databaseUrl: string,
  options: EngineOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(databaseUrl, options);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Opens the copies of a database on a server. Loads the driver. */
export async function openDatabaseCopies(databaseUrl: string): Promise<DatabaseCopies> {
  const copies = await import('./postgres/database-copies.js');
  return copies.openDatabaseCopies(databaseUrl);
}

/** Returns what spreads a database on a server over several. Loads the driver. */
export async function openDistribution(databaseUrl: string): Promise<Distribution> {
  const { distribute } = await import('./postgres/citus/distribute.js');
  const { rebalance } = await import('./postgres/citus/rebalance.js');
  return {
    distribute: (options) => distribute(databaseUrl, options),
    rebalance: (onProgress) => rebalance(databaseUrl, onProgress),
  };
}

/** Opens the rows of an existing database below the engine. Throws StorageUnavailable if it cannot be opened. */
export async function openStoredRows(databaseUrl: string): Promise<StoredRows> {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) return (await import('./sqlite/stored-rows.js')).openSqliteRows(file);
  const { openPostgresRows } = await import('./postgres/stored-rows.js');
  return openPostgresRows(databaseUrl);
}

/** Opens a snapshot of a database on a server; see `postgres/server-dump.ts`. Loads the driver, as the next two do. */
export async function openServerSnapshot(databaseUrl: string, programs?: string): Promise<DatabaseSnapshot> {
  const dumps = await import('./postgres/server-dump.js');
  return dumps.openServerSnapshot(databaseUrl, programs);
}

/** Opens a database on a server for a restore. */
export async function openDumpTarget(databaseUrl: string, programs?: string): Promise<DumpTarget> {
  const dumps = await import('./postgres/server-dump.js');
  return dumps.openDumpTarget(databaseUrl, programs);
}

/** Creates an empty database on the server of a URL. */
export async function createScratchDatabase(databaseUrl: string): Promise<ScratchDatabase> {
  const copies = await import('./postgres/database-copies.js');
  return copies.createScratchDatabase(databaseUrl);
}

/** Returns the file that SQLite opens, or undefined for a database on a server. */
function sqliteFile(databaseUrl: string): string | undefined {
  const location = parseDatabaseUrl(databaseUrl);
  if (!location)
    throw new UnsupportedDatabase(
      'a database URL has the form sqlite:<file>, sqlite::memory: or postgres://...',
    );
  if (location.kind === 'file') return location.file;
  return location.kind === 'memory' ? ':memory:' : undefined;
}

/** Opens an existing database for inspection without changing it. Throws as `openEngine` does. */
export async function inspectDatabase(databaseUrl: string): Promise<Inspection> {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) return inspectSqlite(file);
  const { inspectPostgres } = await import('./postgres/health.js');
  return inspectPostgres(databaseUrl);
}
