import { expect, onTestFinished, test, vi } from 'vitest';
import { PipitError } from '../../src/core/errors.js';
import type { CacheName } from '../../src/database/caches.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/random-search.js';
import { rounds } from '../support/rounds.js';
import { createSharedDatabase } from '../support/test-database.js';
import { ask, drawBeside, drawRead, type Read } from './support/cached-reads.js';
import { WRITES } from './support/random-writes.js';
import { createScene, draw, type Concerned } from './support/scene.js';

const SEED = Number(process.env['PIPIT_TEST_SEED'] ?? 5);
/** Comparisons of a cached read with an uncached one: PIPIT_TEST_ROUNDS=100 makes 100,000 on each engine. */
const COMPARISONS = rounds(1_000);
const READS_AFTER_WRITES = 6;
const MAX_TRIES = 5;
/** So many refused writes of a kind count as one that succeeded. */
const MAX_REFUSED = 6;

vi.setConfig({ testTimeout: rounds(120_000) });

const START_MS = Date.parse('2022-10-07T22:42:12.000Z');
/** Between two writes: leases of the servers are renewed in real time, and must not end. */
const STEP_MS = 2;

/** All caches: a new one does not compile until it is here, and fails if no read finds anything in it. */
const CACHES: Readonly<Record<CacheName, true>> = {
  posts: true,
  postCounts: true,
  users: true,
  userCounts: true,
  relations: true,
  homes: true,
  userPosts: true,
  bearerTokens: true,
  signingTokens: true,
};

const KINDS = Object.keys(WRITES);

const cachesOf = ({ pipit }: TestApp) => pipit.backend.engine.caches?.byName ?? new Map<string, never>();

const hitsOf = (app: TestApp): Record<string, number> =>
  Object.fromEntries([...cachesOf(app)].map(([name, { hits }]) => [name, hits]));

/** Invalidates all cached values at each use, as happens while changes of other processes cannot be read. */
function stopCaching(app: TestApp): void {
  let version = 0;
  for (const cache of cachesOf(app).values()) Object.assign(cache, { version: () => (version += 1) });
}

/** Makes each cache of a server so small that it often evicts values. */
function shrinkCaches(app: TestApp): void {
  for (const cache of cachesOf(app).values()) Object.assign(cache, { max: 20_000 });
}

/** Starts two servers, which share only the database, one of them with small caches, and one that caches nothing. */
async function startServers(clock: () => number) {
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(database.remove);
  const start = async (world?: null): Promise<TestApp> => {
    const app = await startTestApp({ database, world, clock });
    onTestFinished(app.close);
    return app;
  };
  const [first, second, uncached] = [await start(), await start(null), await start(null)];
  shrinkCaches(second);
  stopCaching(uncached);
  return { cached: [first, second], first, uncached };
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof PipitError)) throw error;
}

test(`no read of two servers with caches is older than the last write, seed ${SEED}`, async () => {
  let nowMs = START_MS;
  const clock = (): number => nowMs;
  const { cached, first, uncached } = await startServers(clock);
  const scene = await createScene(first, { random: seeded(SEED), clock });
  const done = new Map<string, number>();
  const refused = new Map<string, number>();
  let compared = 0;

  const write = async (): Promise<Concerned & { readonly name: string }> => {
    // A kind that stays refused must not delay the others for long.
    const uses = (kind: string): number =>
      (done.get(kind) ?? 0) + Math.floor((refused.get(kind) ?? 0) / MAX_REFUSED);
    const least = Math.min(...KINDS.map(uses));
    const rarest = KINDS.filter((kind) => uses(kind) === least);
    const name = draw(scene, scene.random() < 0.75 ? rarest : KINDS) ?? '';
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      nowMs += STEP_MS;
      const concerned = await WRITES[name]?.(draw(scene, cached) ?? first, scene).catch(ifRefused);
      if (!concerned) continue;
      done.set(name, (done.get(name) ?? 0) + 1);
      return { ...concerned, name };
    }
    refused.set(name, (refused.get(name) ?? 0) + 1);
    return { name };
  };

  const compare = async (read: Read, after: string): Promise<void> => {
    const answers = await Promise.all(cached.map((app) => ask(app, read, nowMs)));
    const expected = await ask(uncached, read, nowMs);
    for (const answer of answers) {
      expect(answer, `${JSON.stringify(read)} after ${compared} comparisons and: ${after}`).toEqual(expected);
      compared += 1;
    }
  };

  while (compared < COMPARISONS) {
    // Reads that run beside the write must not leave in a cache what it changes.
    const beside = cached.map((app) => ask(app, drawBeside(scene), nowMs));
    const { name, ...concerned } = await write();
    await Promise.all(beside);
    for (let count = 0; count < READS_AFTER_WRITES; count += 1) {
      await compare(drawRead(scene, count < READS_AFTER_WRITES - 2 ? concerned : {}), name);
    }
  }

  const hits = cached.map(hitsOf);
  console.log(
    `seed ${SEED}: ${compared} comparisons after ${[...done.values()].reduce((a, b) => a + b)} writes`,
    JSON.stringify(hits),
  );
  expect(KINDS.filter((name) => !done.has(name))).toEqual([]);
  for (const found of hits) {
    expect(Object.keys(found).sort()).toEqual(Object.keys(CACHES).sort());
    expect(Object.keys(found).filter((name) => found[name] === 0)).toEqual([]);
  }
  const [misses, missesOfSmall] = cached.map((app) => cachesOf(app).get('posts')?.misses ?? 0);
  expect(missesOfSmall).toBeGreaterThan(2 * (misses ?? 0));
  expect(Object.values(hitsOf(uncached)).filter((count) => count > 0)).toEqual([]);
});
