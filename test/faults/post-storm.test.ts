import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../wire/support/server-process.js';
import { deletedPostIds, findHalfDone } from './support/half-done.js';
import { rounds } from '../support/rounds.js';
import { createHttpClient } from './support/http-client.js';
import { createLedger, type Ledger } from './support/ledger.js';
import { seededRandom, type Random } from './support/random.js';
import { STORM_BEARER, stormWorld } from './support/storm-world.js';
import { startStorm } from './support/storm.js';

const ROUNDS = rounds(2);
const CONNECTIONS = 24;
const TEST_LIMIT_MS = 300_000;

/**
 * A round ends some milliseconds after so many acknowledged writes, so that the kill hits every stage of a commit.
 */
const MIN_WRITES = 20;
const MORE_WRITES = 300;
const MORE_MS = 20;

const LOOKUP_SIZE = 100;

const seed = Number(process.env['PIPIT_STORM_SEED'] ?? Date.now() % 1_000_000);

let folder: string;
let file: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipit-storm-'));
  file = join(folder, 'pipit.db');
  await writeFile(join(folder, 'world.json'), JSON.stringify(stormWorld()));
});

afterEach(async () => {
  await server?.end('SIGKILL');
  await rm(folder, { recursive: true });
});

function start(): Promise<ServerProcess> {
  const world = join(folder, 'world.json');
  return startServer({
    args: ['--database', `sqlite:${file}`, '--load', world, '--rate-limits', 'off', '--post-cap', 'off'],
  });
}

/** Kills the server during the load; returns the number of acknowledged writes. */
async function stormUntilKilled(
  running: ServerProcess,
  name: string,
  random: Random,
  ledger: Ledger,
): Promise<number> {
  const client = createHttpClient(running.port, CONNECTIONS);
  const lastWrite = MIN_WRITES + random.below(MORE_WRITES);
  const graceMs = random.below(MORE_MS);
  const onAcknowledged = (count: number): void => {
    if (count === lastWrite) setTimeout(() => void running.end('SIGKILL'), graceMs);
  };
  const storm = startStorm({ client, ledger, random, connections: CONNECTIONS, name, onAcknowledged });
  await storm.over;
  // A null status: the signal ended it, not the program.
  expect(await running.end('SIGKILL'), running.log()).toBeNull();
  client.close();
  expect(storm.unexpected, running.log()).toEqual([]);
  return storm.acknowledged();
}

/** Reads the texts of the ledger’s posts from the server, by id. */
async function readBack(running: ServerProcess, ledger: Ledger): Promise<Map<string, string>> {
  const client = createHttpClient(running.port, 1);
  const ids = [...ledger.posts.keys()];
  const texts = new Map<string, string>();
  for (let at = 0; at < ids.length; at += LOOKUP_SIZE) {
    const path = `/2/tweets?ids=${ids.slice(at, at + LOOKUP_SIZE).join(',')}`;
    const { status, body } = await client.send('GET', path, STORM_BEARER);
    expect(status).toBe(200);
    for (const { id, text } of (body as { data?: { id: string; text: string }[] }).data ?? [])
      texts.set(id, text);
  }
  client.close();
  return texts;
}

function deletionsWithoutTrace(ledger: Ledger): string[] {
  const recorded = deletedPostIds(file);
  return [...ledger.posts]
    .filter(([id, entry]) => entry.deletion === 'acknowledged' && !recorded.has(id))
    .map(([id]) => id);
}

test(
  `kill -9 during a storm of posts, ${ROUNDS} rounds: every acknowledged post is stored, and nothing is stored in part`,
  { timeout: TEST_LIMIT_MS },
  async () => {
    const ledger = createLedger();
    let writes = 0;
    server = await start();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const hint = `round ${round}, PIPIT_STORM_SEED=${seed}`;
      const random = seededRandom(seed + round);
      writes += await stormUntilKilled(server, `Round ${round},`, random, ledger);
      server = await start();
      expect(ledger.compare(await readBack(server, ledger)), hint).toEqual([]);
      expect(findHalfDone(file), hint).toEqual([]);
      expect(deletionsWithoutTrace(ledger), hint).toEqual([]);
    }
    const deleted = [...ledger.posts.values()].filter((entry) => entry.deletion === 'acknowledged').length;
    expect(writes).toBeGreaterThanOrEqual(ROUNDS * MIN_WRITES);
    expect(deleted).toBeGreaterThan(0);
  },
);
