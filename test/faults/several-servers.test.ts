import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import { asText, sql } from '../../src/database/sql.js';
import { png } from '../api/support/media-files.js';
import { spawnCli, temporaryFolder, type CliProcess } from '../support/cli.js';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { PROGRAM } from '../support/program.js';
import { startBalancer } from './support/balancer.js';
import { buildNewer } from './support/newer-build.js';
import { startLoad, type SteadyLoad } from './support/steady-load.js';

/** Several servers over one PostgreSQL database, behind a balancer and under load. */

const postgres = inject('postgres')?.server;

/** How long the clients work between two steps of an upgrade. */
const BETWEEN_MS = 300;

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

/** Starts a server in a folder of its own, which shares key and media with the others. */
function start(name: string, database: string, program = PROGRAM): CliProcess {
  const key = folder.file('data/pipit.key');
  const shared = ['--key-file', key, '--media', folder.file('media'), '--drain-delay', '2'];
  const args = ['serve', '--port', '0', '--database', database, '--rate-limits', 'off', ...shared];
  mkdirSync(folder.file(name));
  return spawnCli([...args, '--log-level', 'warn'], folder.file(name), process.env, program);
}

async function firstCredentials() {
  const text = await readFile(folder.file(join('one', 'data', 'credentials.json')), 'utf8');
  return JSON.parse(text) as {
    readonly user_id: string;
    readonly oauth2: { readonly access_token: string };
  };
}

/** Compares what was acknowledged with what the database and the media folder hold. */
async function expectNothingLost(load: SteadyLoad, database: string, url: string): Promise<void> {
  const backend = await openBackend(database, {
    keyPlace: { kind: 'file', file: folder.file('data/pipit.key') },
  });
  const rows = await backend.engine.all(sql`SELECT id, text FROM posts`);
  const stored = new Map(rows.map((row) => [String(row.id), asText(row.text)]));
  const media = await backend.engine.all(sql`SELECT url FROM media`);
  await backend.close();
  expect([...load.posts].filter(([id, text]) => stored.get(id) !== text)).toEqual([]);
  expect(media.length).toBeGreaterThanOrEqual(load.uploads.length);
  for (const row of media) {
    const { pathname } = new URL(asText(row.url));
    expect((await fetch(`${url}${pathname}`)).status).toBe(200);
  }
}

test.skipIf(!postgres)(
  'an upgrade with a migration fails no request, and kill -9 of a server loses nothing acknowledged',
  { timeout: 60_000 },
  async () => {
    const name = await createDatabase(postgres ?? '', 'template1');
    const database = databaseUrl(postgres ?? '', name);
    await using newer = await buildNewer();
    await using balancer = await startBalancer();
    await using one = start('one', database);
    const oneUrl = await one.ready();
    await using two = start('two', database);
    const twoUrl = await two.ready();
    await balancer.add(oneUrl);
    await balancer.add(twoUrl);
    const { user_id: userId, oauth2 } = await firstCredentials();
    const token = oauth2.access_token;
    const load = startLoad({ url: balancer.url, token, userId, picture: await png() });
    await pause(BETWEEN_MS);

    // The newer build migrates while both older servers serve, and serves beside the one that remains.
    await using three = start('three', database, newer.program);
    const threeUrl = await three.ready();
    await balancer.add(threeUrl);
    one.child.kill('SIGTERM');
    expect(await one.exit()).toBe(0);
    await pause(BETWEEN_MS);
    expect(load.failures).toEqual([]);
    for (const url of [oneUrl, twoUrl, threeUrl]) expect(balancer.served(url)).toBeGreaterThan(5);

    const killedMs = performance.now();
    two.child.kill('SIGKILL');
    await balancer.left(twoUrl);
    const leftMs = performance.now();
    await pause(BETWEEN_MS);
    const failed = load.failures.length;
    await pause(BETWEEN_MS);
    await load.stop();
    // Requests failed that went to the killed server, until the balancer left it; the other one goes on.
    expect(load.failures.slice(failed)).toEqual([]);
    expect(leftMs - killedMs).toBeLessThan(5_000);
    expect(load.lastSuccessMs()).toBeGreaterThan(leftMs);
    await expectNothingLost(load, database, threeUrl);
    three.child.kill('SIGKILL');
    await three.exit();
    await dropDatabase(postgres ?? '', name);
  },
);
