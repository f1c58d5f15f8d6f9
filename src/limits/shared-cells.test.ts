import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../core/access.js';
import { createRateLimiter } from './rate-limit.js';
import { createMemoryWindows, type RateWindowStore } from './rate-windows.js';
import { openSharedWindows } from './rate-windows-shared.js';
import { createCellsFile, openSharedCells, type CellKey } from './shared-cells.js';

const START_MS = 1_600_000_000_000;
const SLOTS = 3;
const BUCKETS = 4;

let folder: string;
let files = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-cells-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function newFile(buckets?: number): string {
  files += 1;
  const file = join(folder, `windows-${files}`);
  createCellsFile(file, SLOTS, buckets);
  return file;
}

function openAll(file: string, buckets?: number): (RateWindowStore & Disposable)[] {
  return Array.from({ length: SLOTS }, (_, slot) => openSharedWindows(file, { slot, slots: SLOTS }, buckets));
}

const calls = fc.array(
  fc.record({
    writer: fc.nat({ max: SLOTS - 1 }),
    // More than there are cells in a bucket, fewer than in all.
    key: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 8 }).map(String)),
    what: fc.constantFrom('count', 'count', 'take back', 'find', 'peek', 'restart'),
    gapMs: fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(400, 1000)),
  }),
  { maxLength: 80 },
);

describe('windows that several processes count', () => {
  it('are those that one process would count, whichever counts, and outlive each of them', () => {
    fc.assert(
      fc.property(calls, (steps) => {
        const file = newFile(BUCKETS);
        const stores = openAll(file, BUCKETS);
        const model = createMemoryWindows();
        let nowMs = START_MS;
        for (const { writer, key, what, gapMs } of steps) {
          nowMs += gapMs;
          if (what === 'restart') {
            stores[writer]?.[Symbol.dispose]();
            stores[writer] = openSharedWindows(file, { slot: writer, slots: SLOTS }, BUCKETS);
          } else if (what === 'count') {
            const counted = stores[writer]?.count(key, 1000, nowMs);
            expect(counted).toEqual(model.count(key, 1000, nowMs));
          } else if (what === 'take back') {
            stores[writer]?.count(key, 1000, nowMs);
            stores[writer]?.uncount(key, 1000, nowMs);
            model.count(key, 1000, nowMs);
            model.uncount(key, 1000, nowMs);
          } else if (what === 'find') {
            expect(stores[writer]?.find(key, 1000, nowMs)).toEqual(model.find(key, 1000, nowMs));
          } else {
            const peeked = stores[writer]?.peek(key, 1000, nowMs, 3);
            const truth = model.find(key, 1000, nowMs);
            if (peeked && peeked.used < 3) expect(peeked.used).toBeLessThanOrEqual(truth?.used ?? 0);
            else expect(peeked).toEqual(truth);
          }
        }
        for (const store of stores) store[Symbol.dispose]();
      }),
      { numRuns: 150 },
    );
  });

  it('take back a call, in the process that counted it', () => {
    const [one, other] = openAll(newFile());
    one?.count('a', 1000, START_MS);
    other?.count('a', 1000, START_MS);
    other?.uncount('a', 1000, START_MS);
    expect(one?.find('a', 1000, START_MS)?.used).toBe(1);
    other?.uncount('a', 1000, START_MS);
    expect(one?.find('a', 1000, START_MS)?.used).toBe(1);
  });

  it('keep their cells: one that was only looked at writes nowhere before it looked again', () => {
    const [one, other] = openAll(newFile(1), 1);
    other?.count('a', 1000, START_MS);
    one?.find('a', 1000, START_MS);
    one?.count('b', 1000, START_MS);
    expect(one?.count('a', 1000, START_MS).used).toBe(2);
    expect(other?.find('b', 1000, START_MS)?.used).toBe(1);
  });

  it('end with the one that ends first when two were begun at once', () => {
    const file = newFile();
    const [one, other] = openAll(file);
    one?.count('a', 1000, START_MS);
    // Read its clock earlier, but came later.
    expect(other?.count('a', 1000, START_MS - 3)).toMatchObject({ used: 2, endsMs: START_MS + 997 });
    expect(one?.count('a', 1000, START_MS + 1)).toMatchObject({ used: 3, endsMs: START_MS + 997 });
    expect(one?.find('a', 1000, START_MS + 997)).toBeUndefined();
    expect(other?.find('a', 1000, START_MS + 997)).toBeUndefined();
  });

  it('are limited exactly when calls come to any process', () => {
    const file = newFile();
    const clock = (): number => START_MS;
    const limiters = openAll(file).map((windows) =>
      createRateLimiter({ clock, mode: 'standard', windows }).of('getPost', [{ per: 'app', limit: 10 }]),
    );
    const principal = { context: 'app', app: { id: 1n } } as Principal;
    const states = Array.from({ length: 12 }, (_, call) => limiters[call % SLOTS]?.take(principal));
    expect(states.map((state) => state?.remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(states.map((state) => state?.allowed)).toEqual([...Array<boolean>(10).fill(true), false, false]);
  });
});

describe('calls that meet at a limit', () => {
  it('are taken back when there is one too many, and tried again as the other may have been taken back too', () => {
    const windows = createMemoryWindows();
    let others = 1;
    const meeting: RateWindowStore = {
      ...windows,
      // The other process's call is seen once, after this one's was counted.
      count: (key, windowMs, nowMs) => {
        const { used, endsMs } = windows.count(key, windowMs, nowMs);
        const seen = used + others;
        others = 0;
        return { used: seen, endsMs };
      },
    };
    const limiter = createRateLimiter({ clock: () => START_MS, mode: 'standard', windows: meeting });
    const principal = { context: 'app', app: { id: 1n } } as Principal;
    const take = () => limiter.of('getPost', [{ per: 'app', limit: 1 }]).take(principal);
    expect(take()).toMatchObject({ allowed: true, remaining: 0 });
    expect(take()).toMatchObject({ allowed: false, remaining: 0 });
  });
});

describe('cells', () => {
  const key = (value: number): CellKey => Uint32Array.of(0, 0, 0, value);
  const count = (cells: ReturnType<typeof openSharedCells>, value: number, nowMs: number): void => {
    const { ownAt, ownUsed } = cells.find(key(value), nowMs, nowMs + 1000);
    cells.write(key(value), ownAt, ownUsed + 1, nowMs + 1000);
  };

  it('of one bucket go on into the next ones, and are used again when they ended', () => {
    const file = newFile(8);
    const [cells, other] = [0, 1].map((slot) => openSharedCells(file, { slot, slots: SLOTS }, 8));
    if (!cells || !other) throw new Error('not open');
    for (const nowMs of [START_MS, START_MS + 1000]) {
      for (let value = 1; value <= 32; value += 1) count(cells, value, nowMs);
      for (let value = 1; value <= 32; value += 1) {
        expect(cells.find(key(value), nowMs, nowMs + 1000)).toMatchObject({ used: 1, ownUsed: 1 });
        expect(other.find(key(value), nowMs, nowMs + 1000)).toMatchObject({ used: 1, ownUsed: 0 });
      }
    }
    cells.close();
    other.close();
  });

  it('give up the window that ends first when there is no room at all', () => {
    const cells = openSharedCells(newFile(8), { slot: 2, slots: SLOTS }, 8);
    for (let value = 1; value <= 33; value += 1) count(cells, value, START_MS + value);
    expect(cells.find(key(1), START_MS + 40, START_MS + 2000).used).toBe(0);
    for (let value = 2; value <= 33; value += 1) {
      expect(cells.find(key(value), START_MS + 40, START_MS + 2000).used).toBe(1);
    }
    cells.close();
  });
});
