import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { createSnowflakes } from '../../src/core/snowflake.js';
import { createJobQueue } from '../../src/stores/job-queue.js';
import { sql } from '../../src/database/sql.js';
import { listEffects, openEffects } from '../jobs/support/effects.js';
import type { TestPayloads } from '../jobs/support/worker.js';
import { builtScript } from '../support/program.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { startServer, type ServerProcess } from '../wire/support/server-process.js';
import { createHttpClient, type HttpClient } from './support/http-client.js';
import { STORM_BEARER, STORM_USERS, stormWorld, tokenOf } from './support/storm-world.js';

/** Processes that share only a database, which is new when both open it concurrently. */

vi.setConfig({ testTimeout: 60_000 });

const SCRIPT = builtScript('racing-process.ts');
const USERNAMES = 100;
const JOBS = 200;

interface Result {
  readonly usernames: readonly string[];
  readonly jobs: number;
}

/** A process that waits before each startRace. */
function startCompetitor(url: string, workerId: number) {
  const child = spawn(process.execPath, [SCRIPT, url, String(workerId)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  return {
    ready: async (): Promise<void> => expect(await nextLine()).toBe('ready'),
    go: () => void child.stdin.write('\n'),
    won: async () => JSON.parse(await nextLine()) as Result,
  };
}

async function enqueueJobs(url: string): Promise<void> {
  const engine = await openEffects(url, systemClock);
  const queue = createJobQueue<TestPayloads>({ ids: createSnowflakes(systemClock, 3), clock: systemClock });
  await engine.tx('order', async (tx) => {
    for (let n = 1; n <= JOBS; n += 1)
      await queue.enqueue(tx, { kind: 'note', payload: { text: String(n) } });
  });
  await engine.close();
}

test('of two processes one gets each username and runs each job', async () => {
  const database = await createSharedDatabase({ isBare: true });
  onTestFinished(database.remove);
  const competitors = [startCompetitor(database.url, 1), startCompetitor(database.url, 2)];
  const startRace = (): void => {
    for (const { go } of competitors) go();
  };
  const areReady = () => Promise.all(competitors.map(({ ready }) => ready()));
  await areReady();
  startRace();
  await areReady();
  await enqueueJobs(database.url);
  startRace();
  const [one, other] = await Promise.all(competitors.map((racer) => racer.won()));

  const engine = await openEffects(database.url, systemClock);
  const effects = await listEffects(engine);
  const left = await engine.all(sql`SELECT id FROM jobs`);
  await engine.close();
  const usernames = [...(one?.usernames ?? []), ...(other?.usernames ?? [])];
  expect(new Set(usernames).size).toBe(USERNAMES);
  expect(usernames).toHaveLength(USERNAMES);
  expect(effects).toEqual(Array.from({ length: JOBS }, (_, n) => ({ chunk: n + 1, times: 1 })));
  expect(left).toEqual([]);
  expect([one?.jobs, other?.jobs].filter((jobs) => jobs === 0 || jobs === undefined)).toEqual([]);
});

describe('two servers on one database', () => {
  let database: SharedDatabase;
  let servers: ServerProcess[];
  let clients: HttpClient[];

  beforeAll(async () => {
    database = await createSharedDatabase({ isBare: true });
    await writeFile(database.file('world.json'), JSON.stringify(stormWorld()));
    const args = ['--database', database.url, '--share-database', '--load', 'world.json'];
    args.push('--rate-limits', 'off');
    servers = await Promise.all([1, 2].map(() => startServer({ args, folder: database.folder })));
    clients = servers.map(({ port }) => createHttpClient(port, 3));
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const server of servers) await server.end('SIGKILL');
    await database.remove();
  });

  const [user] = STORM_USERS;
  /** Sends a request three times to each server concurrently; returns the responses sorted by status. */
  const sendToBoth = async (method: string, path: string, body?: object) => {
    const both = [...clients, ...clients, ...clients];
    const replies = await Promise.all(both.map((client) => client.send(method, path, tokenOf(user), body)));
    return replies.sort((one, other) => one.status - other.status);
  };
  const postCount = async (): Promise<unknown> => {
    const path = `/2/users/by/username/${user}?user.fields=public_metrics`;
    const reply = await clients[0]?.send('GET', path, STORM_BEARER);
    return (reply?.body as { data: { public_metrics: { tweet_count: number } } } | undefined)?.data
      .public_metrics.tweet_count;
  };

  test('start concurrently and load the same world once', async () => {
    for (const client of clients) {
      const { body } = await client.send(
        'GET',
        `/2/users/by?usernames=${STORM_USERS.join(',')}`,
        STORM_BEARER,
      );
      expect((body as { data: unknown[] }).data).toHaveLength(STORM_USERS.length);
    }
  });

  test('create one of several posts with the same text, and delete a post once', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const posted = await sendToBoth('POST', '/2/tweets', { text: `Said to both, round ${round}` });
      expect(posted.map(({ status }) => status)).toEqual([201, 403, 403, 403, 403, 403]);
      expect(await postCount()).toBe(1);
      const id = (posted[0]?.body as { data: { id: string } } | undefined)?.data.id;
      const deleted = await sendToBoth('DELETE', `/2/tweets/${id}`);
      expect(deleted.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404]);
      expect(await postCount()).toBe(0);
    }
  });
});
