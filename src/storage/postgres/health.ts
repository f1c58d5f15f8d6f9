import { asText } from '../decode.js';
import type { Queryable } from '../engine.js';
import type { Finding, Inspection } from '../health.js';
import { sql } from '../sql.js';
import { silentLog } from '../storage-log.js';
import { createConnections } from './connections.js';
import { postgresDialect } from './schema-dialect.js';

const BUSY_LIMIT_MS = 5_000;
/** PostgreSQL's own default is 128 MiB; a server that has less was made small on purpose or by mistake. */
const LEAST_BUFFERS_BYTES = 128 * 1024 * 1024;

/** Opens a PostgreSQL database to look at it. Throws StorageUnavailable when the server cannot be reached. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const connections = createConnections({
    url,
    durability: 'full',
    busyLimitMs: BUSY_LIMIT_MS,
    processes: 1,
    log: silentLog,
  });
  const db: Queryable = {
    all: async (query) => (await connections.use((connection) => connection.run(query))).rows,
    get: async (query) => (await connections.use((connection) => connection.run(query))).rows[0],
  };
  try {
    return {
      engine: 'PostgreSQL',
      version: await settingOf(db, 'server_version'),
      db,
      dialect: postgresDialect,
      check: async () => [
        await checkSwitch(db, 'fsync', 'a crash of the server may destroy the database'),
        await checkSwitch(db, 'full_page_writes', 'a power cut may destroy the database'),
        await checkBuffers(db),
      ],
      [Symbol.asyncDispose]: () => connections.close(),
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function settingOf(db: Queryable, name: string): Promise<string> {
  const row = await db.get(sql`SELECT current_setting(${name}) AS value`);
  return asText(row?.['value']);
}

async function checkSwitch(db: Queryable, check: string, danger: string): Promise<Finding> {
  return (await settingOf(db, check)) === 'on'
    ? { level: 'ok', check, message: 'on' }
    : { level: 'problem', check, message: `off: ${danger}` };
}

async function checkBuffers(db: Queryable): Promise<Finding> {
  const check = 'shared_buffers';
  const row = await db.get(
    sql`SELECT CAST(pg_size_bytes(current_setting('shared_buffers')) AS TEXT) AS bytes`,
  );
  const isSmall = Number(asText(row?.['bytes'])) < LEAST_BUFFERS_BYTES;
  const message = await settingOf(db, check);
  return isSmall
    ? { level: 'warning', check, message: `${message} is little: a quarter of the memory is usual` }
    : { level: 'ok', check, message };
}
