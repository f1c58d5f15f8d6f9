import type { TestProject } from 'vitest/node';
import { distribute } from '../../src/database/postgres/citus/distribute.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { NODES, startCitus, type CitusCluster } from './citus-cluster.js';
import { describeDatabase } from './database-contents.js';
import { administer, UNSAFE_BUT_FAST } from './postgres.js';
import type { ServerOfRun } from './postgres-setup.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent without Citus. */
    readonly citus?: ServerOfRun;
  }
}

/** Fewer than in earnest: each is a table on a worker, to copy for each database. */
const SHARDS = 4;

const [BARE, TEMPLATE] = ['citus_bare', 'citus_template'];

/** Starts one cluster for the whole run. */
export async function startCitusOfRun(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCitus(UNSAFE_BUT_FAST);
  for (const name of [BARE, TEMPLATE]) await createEmpty(cluster, name);
  const template = cluster.url('coordinator', TEMPLATE);
  await (await openPostgres({ url: template, durability: 'relaxed' })).close();
  await distribute(template, { shards: SHARDS });
  const initialContents = await describeDatabase(template);
  for (const name of [BARE, TEMPLATE]) await freeze(cluster, name);
  const [server = '', ...others] = NODES.map((node) => cluster.url(node, 'postgres'));
  project.provide('citus', { server, others, bare: BARE, template: TEMPLATE, initialContents });
  return cluster.remove;
}

/** Creates a database on all servers that know each other. */
async function createEmpty(cluster: CitusCluster, name: string): Promise<void> {
  for (const node of NODES) {
    await administer(cluster.url(node, 'postgres'), `CREATE DATABASE ${name}`);
    await administer(cluster.url(node, name), 'CREATE EXTENSION citus');
  }
  const coordinator = cluster.url('coordinator', name);
  const placeOf = (node: (typeof NODES)[number]): string =>
    `'127.0.0.1', ${new URL(cluster.url(node, name)).port}`;
  await administer(coordinator, `SELECT citus_set_coordinator_host(${placeOf('coordinator')})`);
  for (const node of NODES.slice(1)) await administer(coordinator, `SELECT citus_add_node(${placeOf(node)})`);
}

/** Ends all connections to a database, also those of Citus itself, so that it can be copied. */
async function freeze(cluster: CitusCluster, name: string): Promise<void> {
  for (const node of NODES) {
    const server = cluster.url(node, 'postgres');
    await administer(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await administer(
      server,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }
}
