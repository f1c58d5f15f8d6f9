import { parseDatabaseUrl } from '../core/database-url.js';
import type { Engine } from './engine.js';
import { UnsupportedDatabase } from './errors.js';
import type { Inspection } from './inspection.js';
import { openPostgres } from './postgres/engine.js';
import { inspectPostgres } from './postgres/health.js';
import { openSqlite, type SqliteOptions } from './sqlite/engine.js';
import { inspectSqlite } from './sqlite/health.js';

/** What both engines take. */
export interface EngineOptions extends Omit<SqliteOptions, 'file' | 'sync'> {
  /** How many processes of this server share the connections of a database on a server; 1 unless said otherwise. */
  readonly processes?: number;
}

/**
 * Opens the database that a URL names and brings its schema up to date: `sqlite:pipit.db`, `sqlite:/var/lib/pipit.db`,
 * `sqlite::memory:`, `postgres://user:password@host/database`. Throws UnsupportedDatabase for any other kind, and what
 * the engine's own open function throws.
 */
export async function openEngine(databaseUrl: string, options: EngineOptions): Promise<Engine> {
  const file = sqliteFile(databaseUrl);
  return file === undefined
    ? openPostgres({ ...options, url: databaseUrl })
    : openSqlite({ ...options, file });
}

/** Returns what SQLite opens; undefined for a database on a server. */
function sqliteFile(databaseUrl: string): string | undefined {
  const location = parseDatabaseUrl(databaseUrl);
  if (!location)
    throw new UnsupportedDatabase('a database URL reads sqlite:<file>, sqlite::memory: or postgres://...');
  if (location.kind === 'file') return location.file;
  return location.kind === 'memory' ? ':memory:' : undefined;
}

/** Opens an existing database to look at it, changing nothing. Throws as `openEngine` does. */
export async function inspectDatabase(databaseUrl: string): Promise<Inspection> {
  const file = sqliteFile(databaseUrl);
  return file === undefined ? inspectPostgres(databaseUrl) : inspectSqlite(file);
}
