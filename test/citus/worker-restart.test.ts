import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distribute } from '../../src/database/citus/distribute.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { worldDeps } from '../../src/server/backend.js';
import { readConfig } from '../../src/server/config.js';
import { buildPipit, type Pipit } from '../../src/server/start.js';
import { loadWorld } from '../../src/world/load-world.js';
import { clients, getPost, missingOf, postAbout, USER_TOKEN } from '../faults/clients.js';
import { startCitus, type CitusCluster } from '../support/citus-cluster.js';
import { APP, standardWorld } from '../support/world.js';

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
    await loadWorld(worldDeps(pipit.backend, pipit.writer), {
      ...standardWorld(),
      tokens: [
        {
          app: APP.id,
          user: 'alice',
          kind: 'oauth2',
          access_token: USER_TOKEN,
          scopes: ['tweet.read', 'tweet.write', 'users.read'],
        },
      ],
    });
    url = `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}`;
  }, 120_000);
  afterAll(async () => {
    await pipit.close();
    await cluster.remove();
    await rm(folder, { recursive: true });
  });

  test('requests that need it get 503 with Retry-After, then succeed again, and no acknowledged post is lost', async () => {
    const posting = clients(url, postAbout('worker'));
    const reading = clients(url, getPost);
    await Promise.all([posting.hasMore(201, ENOUGH), reading.hasMore(200, ENOUGH)]);
    await cluster.crash('worker1');
    await posting.hasMore(503, ENOUGH);
    await cluster.start('worker1');
    const back = performance.now();
    await Promise.all([posting.hasMore(201, ENOUGH), reading.hasMore(200, ENOUGH)]);
    console.info(`recovered ${Math.round(performance.now() - back)} ms after the worker was back`);
    await Promise.all([posting.stop(), reading.stop()]);

    const answers = [...posting.answers, ...reading.answers];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);
    const created = posting.answers.filter(({ status }) => status === 201);
    const ids = created.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
    expect(await missingOf(url, ids)).toEqual([]);
  }, 120_000);
});
