import { checkCluster, readCluster } from './citus/cluster.js';
import type { Queryable } from '../engine.js';
import type { Inspection } from '../inspection.js';
import { DEFAULTS } from '../options.js';
import { asText, sql } from '../sql.js';
import { createConnections } from './connections.js';
import { checkDataDisk, thisMachine, type Machine } from './data-disk.js';
import { postgresDialect } from './schema-dialect.js';
import { checkServer } from './server-check.js';
import { readServerFacts } from './server-facts.js';

/** Opens a PostgreSQL database for inspection. Throws StorageUnavailable if the server cannot be reached. */
export async function inspectPostgres(url: string, machine: Machine = thisMachine): Promise<Inspection> {
  const connections = createConnections({ ...DEFAULTS, url, durability: 'full' });
  const db: Queryable = {
    all: async (query) => (await connections.use((connection) => connection.run(query))).rows,
    get: async (query) => (await connections.use((connection) => connection.run(query))).rows[0],
  };
  try {
    return {
      engine: 'PostgreSQL',
      version: await versionOf(db),
      db,
      dialect: postgresDialect,
      check: async ({ processes }) => {
        const facts = await readServerFacts(db);
        const cluster = facts.citusVersion === undefined ? [] : [checkCluster(await readCluster(db))];
        return [...checkServer(facts, processes), ...cluster, await checkDataDisk(facts, machine)];
      },
      findDamage: () => Promise.resolve(undefined),
      [Symbol.asyncDispose]: () => connections.close(),
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function versionOf(db: Queryable): Promise<string> {
  const row = await db.get(sql`SELECT current_setting('server_version') AS version`);
  return asText(row?.['version']);
}
