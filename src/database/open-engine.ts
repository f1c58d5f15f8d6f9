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
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(databaseUrl) ?? [];
  switch (scheme.toLowerCase()) {
    case 'sqlite':
      return openSqlite({ ...options, file: fileOf(rest) });
    case 'postgres':
    case 'postgresql':
      return openPostgres({ ...options, url: databaseUrl });
    default:
      throw new UnsupportedDatabase('a database URL reads sqlite:<file>, sqlite::memory: or postgres://...');
  }
}

/** Also takes the form with slashes, `sqlite:///var/lib/pipit.db`. */
function fileOf(rest: string): string {
  const file = rest.replace(/^\/\//, '');
  if (file === '') throw new UnsupportedDatabase('the database URL names no file');
  return file;
}

/** Opens an existing database to look at it, changing nothing. Throws as `openEngine` does. */
export async function inspectDatabase(databaseUrl: string): Promise<Inspection> {
  if (/^postgres(ql)?:/i.test(databaseUrl)) return inspectPostgres(databaseUrl);
  const file = /^sqlite:(.*)$/is.exec(databaseUrl)?.[1];
  if (file === undefined)
    throw new UnsupportedDatabase('only sqlite:<file> and postgres://... can be looked at');
  return inspectSqlite(fileOf(file));
}
