import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import { FeedExpired, type FeedEntry } from '../../src/database/feed.js';
import { pruneFeed } from '../../src/database/feed-table.js';
import type { Tx } from '../../src/database/queryable.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { rounds } from '../support/rounds.js';
import { deferred } from '../../src/core/deferred.js';
import type { TestDatabase, TestEngine } from './engines.js';

/** The tests share their machine. */
const SLOW = { timeout: 10_000 };

const HOUR_MS = 3_600_000;

/** Emits an event that stands for a number. */
function emit(tx: Tx, number: number, authorId = 1): void {
  tx.emit({ kind: 'post-made', postId: BigInt(number) as PostId, authorId: BigInt(authorId) as UserId });
}

/** Emits an event after a write, as stores do. */
async function write(tx: Tx, number: number): Promise<void> {
  await tx.run(sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${number + 1_000}, ${1})`);
  emit(tx, number);
}

const commit = (engine: Engine, number: number): Promise<void> =>
  engine.tx('write', (tx) => write(tx, number), 'read-committed');

function numbersOf(entries: readonly FeedEntry[]): number[] {
  return entries.flatMap(({ events }) =>
    events.map((event) => (event.kind === 'post-made' ? Number(event.postId) : NaN)),
  );
}

/** Reads everything after a position, some commits at a time. */
async function readAll(engine: Engine, after: bigint, limit = 7): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (;;) {
    const page = await engine.feed.read(after, limit);
    entries.push(...page.entries);
    after = page.position;
    if (!page.isFull) return entries;
  }
}

/** Collects what a subscriber receives until the end of the test. */
function subscribed(engine: Engine, after: bigint) {
  const entries: FeedEntry[] = [];
  const stop = new AbortController();
  const ended = engine.feed.subscribe({ after, signal: stop.signal }, (page) => void entries.push(...page));
  return { entries, ended, end: () => (stop.abort(), ended) };
}

/** The contract of every engine for its feed. */
export function feedCases(kind: TestEngine): void {
  let database: TestDatabase;
  let nowMs: number;
  const clock = (): number => nowMs;
  const open = (): Promise<Engine> => database.open({ clock, durability: 'relaxed', busyLimitMs: 30_000 });
  const openTwo = async (): Promise<readonly [Engine, Engine]> => {
    const first = await open();
    return [first, kind.isShared ? await open() : first];
  };

  beforeEach(async () => {
    nowMs = Date.UTC(2026, 5, 1);
    database = await kind.create('schema');
  });
  afterEach(() => database.remove());

  test('holds what transactions emitted, in order, with the time; nothing of failed ones', async () => {
    const engine = await open();
    const start = await engine.feed.position();
    await engine.tx('two events', async (tx) => {
      await write(tx, 1);
      emit(tx, 2);
    });
    const failed = engine.tx('failed', async (tx) => {
      await write(tx, 3);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    nowMs += 5;
    await commit(engine, 4);
    const { entries, position } = await engine.feed.read(start);
    expect(entries.map((entry) => [entry.atMs - nowMs, numbersOf([entry])])).toEqual([
      [-5, [1, 2]],
      [0, [4]],
    ]);
    expect(entries.at(-1)?.position).toBe(position);
    expect(await engine.feed.position()).toBe(position);
    expect(await engine.feed.read(position)).toEqual({ entries: [], position, isFull: false });
  });

  test('keeps ids, and texts with every character', async () => {
    const engine = await open();
    const start = await engine.feed.position();
    const before = { name: `O'Brien \\' "; DROP TABLE users; -- \u0000 😀`, url: undefined };
    const after = { name: '12', url: 'https://example.org/$1?n' };
    await engine.tx('rename', async (tx) => {
      tx.emit({ kind: 'profile-changed', userId: 9_007_199_254_740_993n as UserId, before, after });
    });
    expect((await engine.feed.read(start)).entries[0]?.events).toEqual([
      { kind: 'profile-changed', userId: 9_007_199_254_740_993n, before: { name: before.name }, after },
    ]);
  });

  const manyRounds = { timeout: rounds(30_000) };
  test(
    'two processes: every event is read once and in the same order, from any position',
    manyRounds,
    async () => {
      const engines = await openTwo();
      for (let round = 1; round <= rounds(4); round += 1) await randomTransactions(engines, round * 1_000);
    },
  );

  test.runIf(!kind.isSerial)('a late commit does not slip behind a position handed out', async () => {
    const [one, other] = await openTwo();
    const start = await one.feed.position();
    const [isWriting, goOn] = [deferred(), deferred()];
    const late = one.tx('late', async (tx) => {
      await write(tx, 1);
      isWriting.resolve();
      await goOn.promise;
    });
    await isWriting.promise;
    await commit(other, 2);
    const page = await one.feed.read(start);
    expect(numbersOf(page.entries)).toEqual([2]);
    goOn.resolve();
    await late;
    expect(numbersOf((await other.feed.read(page.position)).entries)).toEqual([1]);
    expect(numbersOf(await readAll(one, start))).toEqual([2, 1]);
  });

  test('a subscriber receives old entries, then the new ones of every process, until it ends', async () => {
    const [one, other] = await openTwo();
    const start = await one.feed.position();
    await commit(one, 1);
    const [early, late] = [subscribed(one, start), subscribed(one, await one.feed.position())];
    await vi.waitFor(() => expect(numbersOf(early.entries)).toEqual([1]), SLOW);
    await commit(other, 2);
    await vi.waitFor(() => expect(numbersOf(early.entries)).toEqual([1, 2]), SLOW);
    await commit(one, 3);
    await vi.waitFor(() => expect(numbersOf(late.entries)).toEqual([2, 3]), SLOW);
    await late.end();
    await commit(one, 4);
    await vi.waitFor(() => expect(numbersOf(early.entries)).toEqual([1, 2, 3, 4]), SLOW);
    expect(numbersOf(late.entries)).toEqual([2, 3]);
    await one.close();
    await early.ended;
  });

  test('a subscriber that fails ends with its error', async () => {
    const engine = await open();
    const { signal } = new AbortController();
    const after = await engine.feed.position();
    const ended = engine.feed.subscribe({ after, signal }, () => Promise.reject(new Error('full')));
    await commit(engine, 1);
    await expect(ended).rejects.toThrow('full');
  });

  test('a slow subscriber receives a page at a time and misses nothing; others do not wait', async () => {
    const engine = await open();
    const after = await engine.feed.position();
    const goOn = deferred();
    const stop = new AbortController();
    const pages: number[][] = [];
    const ended = engine.feed.subscribe({ after, signal: stop.signal }, async (page) => {
      pages.push(numbersOf(page));
      await goOn.promise;
    });
    const fast = subscribed(engine, after);
    const all = Array.from({ length: 1_200 }, (_, index) => index + 1);
    for (const number of all) await commit(engine, number);
    await vi.waitFor(() => expect(numbersOf(fast.entries)).toEqual(all), SLOW);
    expect(pages.length).toBe(1);
    goOn.resolve();
    await vi.waitFor(() => expect(pages.flat()).toEqual(all), SLOW);
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(500);
    stop.abort();
    await ended;
    await fast.end();
  });

  test('a position of the past is found by time', async () => {
    const engine = await open();
    const startMs = nowMs;
    for (let number = 0; number < 40; number += 1) {
      nowMs = startMs + number * 1_000;
      await commit(engine, number);
    }
    for (const seconds of [0, 1, 17, 38.5, 39]) {
      const position = await engine.feed.positionAt(startMs + seconds * 1_000);
      expect(numbersOf(await readAll(engine, position))[0]).toBe(Math.ceil(seconds));
    }
    expect(await engine.feed.positionAt(nowMs + 1)).toBe(await engine.feed.position());
  });

  test('entries that are too old are deleted, and a reader at such a position learns it', async () => {
    const engine = await open();
    const start = await engine.feed.position();
    const startMs = nowMs;
    const positions: bigint[] = [];
    for (let number = 0; number < 30; number += 1) {
      nowMs = startMs + number * HOUR_MS;
      await commit(engine, number);
      positions.push(await engine.feed.position());
    }
    const prune = async (beforeMs: number): Promise<void> => {
      let from: bigint | undefined = 0n;
      while (from !== undefined)
        from = await engine.tx('prune', (tx) => pruneFeed(tx, { from: from ?? 0n, limit: 4, beforeMs }));
    };
    await prune(startMs + 20 * HOUR_MS);
    // A reader of everything before that time reads on.
    expect(numbersOf(await readAll(engine, positions[19] ?? 0n))).toEqual([
      20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    ]);
    await expect(engine.feed.read(positions[18] ?? 0n)).rejects.toThrow(FeedExpired);
    await expect(engine.feed.read(start)).rejects.toThrow(FeedExpired);
    await expect(subscribed(engine, start).ended).rejects.toThrow(FeedExpired);
    expect(await engine.feed.positionAt(startMs)).toBe(positions[19]);
    // A position of another database's future.
    await expect(engine.feed.read((positions[29] ?? 0n) + 5n)).rejects.toThrow(FeedExpired);
    await prune(nowMs + HOUR_MS);
    expect(await engine.feed.position()).toBe(positions[29]);
    await commit(engine, 30);
    expect(numbersOf(await readAll(engine, positions[29] ?? 0n))).toEqual([30]);
  });
}

/**
 * Runs random transactions through both engines, some slow, some failing, while subscribers read. A counter shows the
 * order of those that depend on each other.
 */
async function randomTransactions(engines: readonly [Engine, Engine], first: number): Promise<void> {
  const [one, other] = engines;
  const start = await one.feed.position();
  const live = [subscribed(one, start), subscribed(other, start)];
  const counts = new Map<number, number>();
  const acknowledged: number[] = [];
  const transaction = async (number: number): Promise<void> => {
    const engine = engines[number % 2] ?? one;
    const random = Math.random();
    const body = async (tx: Tx): Promise<void> => {
      await write(tx, number);
      for (let turns = random < 0.3 ? 20 * Math.random() : 0; turns > 0; turns -= 1) await nextTurn();
      if (number % 3 === 0) {
        await tx.run(sql`UPDATE media_usage SET size_bytes = size_bytes + 1 WHERE user_id = ${1}`);
        counts.set(number, asNumber((await tx.get(COUNT))?.['n']));
      }
      if (random > 0.5) for (let turns = 10 * Math.random(); turns > 0; turns -= 1) await nextTurn();
      if (number % 7 === 0) throw new Error('undone');
    };
    const done = engine.tx('random', body, 'read-committed');
    if (number % 7 === 0) await expect(done).rejects.toThrow('undone');
    else await done;
    if (number % 7 !== 0) acknowledged.push(number);
  };
  await one.tx('count', (tx) =>
    tx.run(sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${1}, ${0}) ON CONFLICT DO NOTHING`),
  );
  let next = first;
  const client = async (): Promise<void> => {
    while (next < first + 60) await transaction((next += 1));
  };
  await Promise.all(Array.from({ length: 8 }, client));

  const all = await readAll(one, start);
  const numbers = numbersOf(all);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(acknowledged.toSorted((a, b) => a - b));
  const counted = numbers.filter((number) => number % 3 === 0).map((number) => counts.get(number) ?? 0);
  expect(counted).toEqual(counted.toSorted((a, b) => a - b));
  for (const { entries } of live) await vi.waitFor(() => expect(entries).toEqual(all), SLOW);
  for (const { position } of all) {
    const rest = all.filter((entry) => entry.position > position);
    expect(await readAll(other, position, 1 + Math.floor(Math.random() * 20))).toEqual(rest);
  }
  for (const { end } of live) await end();
}

const COUNT = sql`SELECT size_bytes AS n FROM media_usage WHERE user_id = ${1}`;
