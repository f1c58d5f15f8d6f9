import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { distribute } from '../../src/database/postgres/citus/distribute.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { worldDeps } from '../../src/server/backend.js';
import { readConfig } from '../../src/server/config.js';
import { buildPipit, type Pipit } from '../../src/server/start.js';
import { loadWorld } from '../../src/world/load-world.js';
import { CLIENT_TOKEN } from '../faults/clients.js';
import { surviveOutage } from '../faults/outage.js';
import { startCitus, type CitusCluster } from '../support/citus-cluster.js';
import { standardWorld } from '../support/world.js';

const ENOUGH = 20;

/** A durable cluster for these tests alone. */
describe('when a worker is killed under load', () => {
  let cluster: CitusCluster;
  let pipit: Pipit;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    cluster = await startCitus();
    folder = await mkdtemp(join(tmpdir(), 'pipit-'));
    const database = cluster.url('coordinator', 'pipit');
    await (await openPostgres({ url: database, durability: 'full' })).close();
    await distribute(database, { shards: 4 });
    const log = {
      error: (fields: object) => console.error(fields),
      warn: (_fields: object, message: string) => console.warn(message),
    };
    pipit = await buildPipit(readConfig({ database, rateLimits: 'off' }, {}), { log, dataFolder: folder });
    await loadWorld(worldDeps(pipit.backend, pipit.writer), { ...standardWorld(), tokens: [CLIENT_TOKEN] });
    url = `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}`;
  }, 120_000);
  afterAll(async () => {
    await pipit.close();
    await cluster.remove();
    await rm(folder, { recursive: true });
  });

  test('requests that need it get 503 with Retry-After, then succeed again, and no acknowledged post is lost', async () => {
    const recoveryMs = await surviveOutage(url, {
      topic: 'worker',
      enough: ENOUGH,
      // Some posts are on the other worker.
      refusesReads: false,
      begin: () => cluster.crash('worker1'),
      end: () => cluster.start('worker1'),
    });
    console.info(`recovered ${Math.round(recoveryMs)} ms after the worker was back`);
  }, 120_000);
});
