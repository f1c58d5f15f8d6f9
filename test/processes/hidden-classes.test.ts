import { Agent } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestApp } from '../support/app.js';
import { PROGRAM } from '../support/program.js';
import { createSharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';
import { startServer } from '../wire/support/server-process.js';
import { bearer, send } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000 });

/** Rounds before V8 has compiled what requests run, and rounds that count. */
const ROUNDS = { before: 200, counted: 150 };

const FIELDS =
  'tweet.fields=created_at,entities,public_metrics,referenced_tweets&expansions=author_id,referenced_tweets.id';

/** Starts a server on a process whose V8 logs each hidden class that it creates. */
async function startLogged() {
  const database = await createSharedDatabase();
  onTestFinished(database.remove);
  const app = await startTestApp({ database });
  const token = await app.as('alice');
  await app.close();
  const logFile = database.file('v8.log');
  const server = await startServer({
    program: ['--log-maps', '--no-logfile-per-isolate', `--logfile=${logFile}`, ...PROGRAM],
    args: ['--database', database.url, '--rate-limits', 'off'],
    folder: database.folder,
  });
  onTestFinished(async () => void (await server.end('SIGTERM')));
  return { server, token, logFile };
}

/** Returns the places where hidden classes were created, with their numbers. */
function placesIn(log: string): Map<string, number> {
  const places = new Map<string, number>();
  for (const line of log.split('\n')) {
    const [event, kind, , , , , row, column, reason] = line.split(',');
    if (event !== 'map' || kind !== 'Transition') continue;
    const place = `line ${row}, column ${column} of the built program: ${reason}`;
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  return places;
}

test('requests create no hidden classes of V8, once their code has run for a while', async () => {
  const { server, token, logFile } = await startLogged();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async (path: string, body?: object): Promise<void> => {
    const { status } = await send(`${server.url}${path}`, bearer(token), { agent, body });
    expect(status, path).toBeLessThan(300);
  };
  const round = async (number: number): Promise<void> => {
    await ask(`/2/users/${USERS.alice}/timelines/reverse_chronological?max_results=20&${FIELDS}`);
    await ask(`/2/users/${USERS.alice}/tweets?max_results=20&${FIELDS}`);
    await ask(`/2/tweets/search/recent?query=round%20has%3Ahashtags&${FIELDS}`);
    await ask(`/2/users/${USERS.bob}/mentions?${FIELDS}`);
    await ask(`/2/users/${USERS.alice}/followers`);
    await ask('/2/users/by?usernames=alice,bob&user.fields=entities,public_metrics');
    await ask('/alice');
    await ask('/2/tweets', { text: `Round ${number} #birds @bob https://example.com/${number}` });
  };

  for (let number = 0; number < ROUNDS.before; number += 1) await round(number);
  const { size } = await stat(logFile);
  for (let number = 0; number < ROUNDS.counted; number += 1) await round(ROUNDS.before + number);
  await server.end('SIGTERM');

  const log = await readFile(logFile);
  expect(placesIn(log.subarray(0, size).toString()).size, 'places before').toBeGreaterThan(100);
  const frequent = [...placesIn(log.subarray(size).toString())].filter(
    ([, count]) => count >= ROUNDS.counted / 2,
  );
  expect(Object.fromEntries(frequent)).toEqual({});
});
