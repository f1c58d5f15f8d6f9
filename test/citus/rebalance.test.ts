import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { copiedAmong } from '../../src/database/copied-tables.js';
import { distribute } from '../../src/database/postgres/citus/distribute.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { openStoredRows } from '../../src/database/open-engine.js';
import { worldDeps } from '../../src/server/backend.js';
import { readConfig } from '../../src/server/config.js';
import { buildPipit } from '../../src/server/start.js';
import { loadWorld } from '../../src/world/load-world.js';
import { CLIENT_TOKEN, clients, missingOf, postAbout } from '../faults/clients.js';
import { runCli } from '../support/cli.js';
import { startCitus } from '../support/citus-cluster.js';
import { standardWorld } from '../support/world.js';

const ENOUGH = 20;
const SHARDS = 4;

test('shards move to a new worker while clients write: nothing acknowledged is lost, nor its record for a move', async () => {
  // A cluster for this test alone: a shard moves once every transaction of a server has ended, also of other databases.
  const cluster = await startCitus();
  onTestFinished(cluster.remove);
  const database = cluster.url('coordinator', 'pipit');
  await (await openPostgres({ url: database, durability: 'full' })).close();
  await distribute(database, { shards: SHARDS });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  const numberOn = async (port: number): Promise<number> => {
    const { rows } = await client.query<{ n: string }>(
      'SELECT COUNT(*) AS n FROM citus_shards WHERE nodeport = $1 AND citus_table_type = $2',
      [port, 'distributed'],
    );
    return Number(rows[0]?.n);
  };
  // As if the worker had been added just now.
  const { rows } = await client.query<{ nodeport: number }>(
    'SELECT nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY nodeid DESC LIMIT 1',
  );
  const port = rows[0]?.nodeport ?? 0;
  await client.query(`SELECT citus_drain_node('127.0.0.1', ${port}, shard_transfer_mode => 'block_writes')`);
  await client.query(`SELECT citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', true)`);
  expect(await numberOn(port)).toBe(0);

  const folder = await mkdtemp(join(tmpdir(), 'pipit-'));
  const log = { error: () => undefined, warn: () => undefined };
  const config = readConfig({ database: database, rateLimits: 'off' }, {});
  const pipit = await buildPipit(config, { log, dataFolder: folder });
  onTestFinished(async () => {
    await pipit.close();
    await rm(folder, { recursive: true });
  });
  await loadWorld(worldDeps(pipit.backend, pipit.writer), {
    ...standardWorld(),
    tokens: [CLIENT_TOKEN],
  });
  const recording = await openStoredRows(database);
  onTestFinished(() => recording.close());
  await recording.recordChanges(await recording.describe(copiedAmong(await recording.tableNames())));
  const url = `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}`;
  const posting = clients(url, postAbout('move'));
  await posting.hasMore(201, ENOUGH);
  const moved = await runCli(['cluster', 'rebalance', '--json'], {
    env: { PIPIT_DATABASE: database },
    folder,
  });
  expect(moved).toMatchObject({ status: 0 });
  expect((JSON.parse(moved.stdout) as { moved: number }).moved).toBeGreaterThan(0);
  await posting.hasMore(201, ENOUGH);
  await posting.stop();

  expect(await numberOn(port)).toBeGreaterThan(0);
  const created = posting.answers.filter(({ status }) => status === 201);
  expect(posting.answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  const ids = created.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  expect(await missingOf(url, ids)).toEqual([]);
  const changes = await recording.readChanges(1_000_000);
  const recorded = new Set(changes.flatMap(({ table, key }) => (table === 'posts' ? key : [])));
  expect(ids.filter((id) => !recorded.has(id))).toEqual([]);
  await recording.endRecording();
}, 180_000);
