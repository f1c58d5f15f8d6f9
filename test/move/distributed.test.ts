import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openStoredRows } from '../../src/database/open-engine.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { createDemo, createOther, sumsOf } from './support/databases.js';

/** Creates an empty database without Citus on the coordinator. */
async function createPlainDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = inject('citus')?.server ?? '';
  const name = await createDatabase(server);
  return { url: databaseUrl(server, name), [Symbol.asyncDispose]: () => dropDatabase(server, name) };
}

/** Returns how many tables of a database are on shards. */
async function distributedTables(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(
      'SELECT COUNT(*) AS n FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid WHERE NOT relispartition',
    );
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

const onCitus = test.skipIf(!inject('citus'));

onCitus(
  'a database moves from PostgreSQL to a distributed one with the same rows, which are on the workers',
  async () => {
    await using folder = await temporaryFolder();
    await using plain = await createPlainDatabase();
    await using cluster = await createOther('citus', folder.path);
    const placed = await distributedTables(cluster.url);
    const from = await createDemo(folder.file('a'));
    for (const [one, other] of [
      [from, plain.url],
      [plain.url, cluster.url],
    ] as const) {
      const { status, stderr } = await runCli(['move', one, other], { folder: folder.path });
      expect([status, stderr]).toEqual([0, expect.anything()]);
    }
    expect(await sumsOf(cluster.url)).toEqual(await sumsOf(from));
    expect([placed > 30, await distributedTables(cluster.url)]).toEqual([true, placed]);
  },
);

onCitus(
  'a distributed target of an abandoned move is empty and distributed again',
  async () => {
    await using folder = await temporaryFolder();
    await using cluster = await createOther('citus', folder.path);
    const from = await createDemo(folder.file('a'));
    const placed = await distributedTables(cluster.url);
    const move = (...args: readonly string[]) =>
      runCli(['move', from, cluster.url, ...args], { folder: folder.path, stopRequested: () => stopped });
    const stopped = delay(300);
    expect(await move()).toMatchObject({ status: 130 });
    expect(await move('--abandon', '--yes')).toMatchObject({ status: 0 });
    expect(await distributedTables(cluster.url)).toBe(placed);
    const rows = await openStoredRows(cluster.url);
    expect(await rows.countRows('users')).toBe(0);
    await rows.close();
  },
  60_000,
);
