import pg from 'pg';
import type { DatabaseCopies } from '../database-copies.js';
import { StorageUnavailable } from '../errors.js';

/** Every server has this database, for commands about others. */
const MAINTENANCE = 'postgres';

/** A new database as Pipit requires it (docs/running.md#postgresql). */
const EMPTY = `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`;

/**
 * Creates the copies of the database that a URL names. Its user must own the database and have the right to create
 * databases. Methods throw StorageUnavailable.
 */
export function createDatabaseCopies(url: string): DatabaseCopies {
  const original = decodeURIComponent(new URL(url).pathname.slice(1));
  const [source, quote] = [pg.escapeIdentifier(original), pg.escapeIdentifier];
  const run = (...statements: readonly string[]): Promise<void> => runOn(url, statements);
  const end = (name: string): string =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${pg.escapeLiteral(name)}`;
  const drop = (name: string): string => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  return {
    copy: (name) => run(end(original), `CREATE DATABASE ${quote(name)} TEMPLATE ${source}`),
    restore: (name) => run(drop(source), `CREATE DATABASE ${source} TEMPLATE ${quote(name)}`),
    drop: (name) => run(drop(quote(name))),
    clear: () => run(drop(source), `CREATE DATABASE ${source} ${EMPTY}`),
  };
}

async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const server = new URL(url);
  server.pathname = `/${MAINTENANCE}`;
  const client = new pg.Client({ connectionString: server.href });
  // A connection that breaks rejects its statement too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } catch (cause) {
    throw new StorageUnavailable('the database cannot be copied on its server', { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
