import type { Engine } from './engine.js';
import { UnsupportedDatabase } from './errors.js';
import { openSqlite, type SqliteOptions } from './sqlite/engine.js';

export type EngineOptions = Omit<SqliteOptions, 'file'>;

/**
 * Opens the database that a URL names and brings its schema up to date: `sqlite:pipit.db`, `sqlite:/var/lib/pipit.db`,
 * `sqlite::memory:`. Throws UnsupportedDatabase for any other kind, and what the engine's own open function throws.
 */
export async function openEngine(databaseUrl: string, options: EngineOptions): Promise<Engine> {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(databaseUrl) ?? [];
  switch (scheme.toLowerCase()) {
    case 'sqlite':
      return openSqlite({ ...options, file: fileOf(rest) });
    case 'postgres':
    case 'postgresql':
      throw new UnsupportedDatabase('this build of Pipit has no PostgreSQL engine; use sqlite:<file>');
    default:
      throw new UnsupportedDatabase('a database URL reads sqlite:<file> or sqlite::memory:');
  }
}

/** Also takes the form with slashes, `sqlite:///var/lib/pipit.db`. */
function fileOf(rest: string): string {
  const file = rest.replace(/^\/\//, '');
  if (file === '') throw new UnsupportedDatabase('the database URL names no file');
  return file;
}
