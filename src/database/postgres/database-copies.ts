import pg from 'pg';
import type { DatabaseCopies } from '../database-copies.js';
import { StorageUnavailable } from '../errors.js';
import type { ScratchDatabase } from '../server-dump.js';
import { takeCopyLease } from './copy-lease.js';

/** Every server has this database, for commands about others. */
const MAINTENANCE = 'postgres';

/** A new database as Pipit requires it (docs/running.md#postgresql). */
const EMPTY = `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`;

/**
 * Opens the copies of the database that a URL names, and drops those that killed processes have left on its server. The
 * user must own the database and have the right to create databases. Rejects, as methods do, with StorageUnavailable.
 */
export async function openDatabaseCopies(url: string): Promise<DatabaseCopies> {
  const lease = await describing(() => takeCopyLease(() => connectTo(url)));
  const original = decodeURIComponent(new URL(url).pathname.slice(1));
  const [source, quote] = [pg.escapeIdentifier(original), pg.escapeIdentifier];
  const run = (...statements: readonly string[]): Promise<void> => runOn(url, statements);
  const end = (name: string): string =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${pg.escapeLiteral(name)}`;
  const drop = (name: string): string => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  return {
    prefix: lease.prefix,
    close: () => lease.release(),
    copy: (name) => run(end(original), `CREATE DATABASE ${quote(name)} TEMPLATE ${source}`),
    restore: (name) => run(drop(source), `CREATE DATABASE ${source} TEMPLATE ${quote(name)}`),
    drop: (name) => run(drop(quote(name))),
    clear: () => run(drop(source), `CREATE DATABASE ${source} ${EMPTY}`),
  };
}

/** Creates an empty database on the server of a URL, whose user must have the right to. Rejects with StorageUnavailable. */
export async function createScratchDatabase(url: string): Promise<ScratchDatabase> {
  const lease = await describing(() => takeCopyLease(() => connectTo(url)));
  const name = `${lease.prefix}1`;
  try {
    await runOn(url, [`CREATE DATABASE ${pg.escapeIdentifier(name)} ${EMPTY}`]);
  } catch (error) {
    await lease.release();
    throw error;
  }
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    drop: async () => {
      try {
        await runOn(url, [`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`]);
      } finally {
        await lease.release();
      }
    },
  };
}

async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const client = await describing(() => connectTo(url));
  try {
    await describing(async () => {
      for (const statement of statements) await client.query(statement);
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connectTo(url: string): Promise<pg.Client> {
  const server = new URL(url);
  server.pathname = `/${MAINTENANCE}`;
  const client = new pg.Client({ connectionString: server.href });
  // A connection that breaks rejects its statement too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function describing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StorageUnavailable('the database cannot be copied on its server', { cause });
  }
}
