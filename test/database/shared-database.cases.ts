import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine, Queryable } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { RowCache } from '../../src/database/row-cache.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { rounds } from '../support/rounds.js';
import { deferred } from '../../src/core/deferred.js';
import type { OpenOptions, TestDatabase, TestEngine } from './engines.js';
import { counterValue, countNotes, increment, insertNote, NOTES, textOfNote } from './notes.js';
import { steadyChanges } from '../support/steady-changes.js';

const WRITERS: readonly bigint[] = [1n, 2n, 3n, 4n, 5n, 6n];

/** Writers do not wait for the disk, and so give the others no time to receive changes. */
const RELAXED: OpenOptions = { durability: 'relaxed' };

/** The contract of every engine for several processes on one database. */
export function sharedDatabaseCases(kind: TestEngine): void {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await kind.create();
  });

  afterEach(() => database.remove());

  const openTwo = async (options: OpenOptions = {}) => {
    const shared = { migrations: NOTES, busyLimitMs: 30_000, ...options };
    return [await database.open(shared), await database.open(shared)] as const;
  };

  test('several processes started concurrently on an empty database all succeed', async () => {
    const engines = await Promise.all([1, 2, 3, 4].map(() => database.open()));
    for (const engine of engines) expect(await countUsers(engine)).toBe(0);
  });

  test('each sees the commits of the other at once', async () => {
    const [first, second] = await openTwo();
    await first.tx('write', (tx) => insertNote(tx, 1n));
    expect(await countNotes(second)).toBe(1);
    await second.tx('write', (tx) => insertNote(tx, 2n));
    expect(await countNotes(first)).toBe(2);
  });

  test('a cache that has caught up never returns a value that another process changed before', async () => {
    const [first, second] = await openTwo(RELAXED);
    await steadyChanges(second);
    const cache = new RowCache<bigint, string>(second, ['notes'], 10);
    const cached = () => cache.read(1n, () => textOfNote(second, 1n));
    await first.tx('write', (tx) => insertNote(tx, 1n, 'text 0'));
    for (let round = 1; round <= rounds(100); round += 1) {
      const text = `text ${round}`;
      await first.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = ${text} WHERE id = 1`));
      await nextRequest(second);
      expect(await cached()).toBe(text);
      expect(cache.find(1n)).toBe(text);
    }
  });

  test('a request sees what was acknowledged before it, even in the same turn of the event loop', async () => {
    const [first, second] = await openTwo(RELAXED);
    await steadyChanges(second);
    const cache = new RowCache<bigint, string>(second, ['notes'], 10);
    await first.tx('write', (tx) => insertNote(tx, 1n, 'text 0'));
    for (let round = 1; round <= rounds(100); round += 1) {
      const text = `text ${round}`;
      await nextRequest(second);
      // Both are acknowledged together, in a turn that was planned before the cache is used between them.
      const earlier = first.tx('earlier', (tx) => insertNote(tx, BigInt(1 + round)));
      await first.tx('change', async (tx) => {
        for (let count = 0; count < 20; count += 1) await textOfNote(tx, 1n);
        await cache.read(1n, () => textOfNote(second, 1n));
        await tx.run(sql`UPDATE notes SET text = ${text} WHERE id = 1`);
      });
      await second.catchUp();
      expect(await cache.read(1n, () => textOfNote(second, 1n))).toBe(text);
      await earlier;
    }
  });

  test('concurrent requests after acknowledged changes each see their change or a later one', async () => {
    const [first, second] = await openTwo(RELAXED);
    await steadyChanges(second);
    const cache = new RowCache<bigint, number>(second, ['notes'], 100);
    await first.tx('write', async (tx) => {
      for (const id of WRITERS) await insertNote(tx, id, '0');
    });
    const write = async (id: bigint): Promise<void> => {
      for (let round = 1; round <= rounds(30); round += 1) {
        await first.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = ${`${round}`} WHERE id = ${id}`));
        await nextRequest(second);
        const read = () => cache.read(id, async () => Number(await textOfNote(second, id)));
        expect(await Promise.all([read(), read()])).toEqual([round, round]);
      }
    };
    const watch = async (): Promise<void> => {
      let seen = 0;
      for (let round = 0; round < rounds(100); round += 1) {
        await nextRequest(second);
        const now = (await cache.read(1n, async () => Number(await textOfNote(second, 1n)))) ?? -1;
        expect(now).toBeGreaterThanOrEqual(seen);
        seen = now;
      }
    };
    await Promise.all([...WRITERS.map(write), watch(), watch()]);
  });

  test('a cache never returns a value that this process changed', async () => {
    const [engine] = await openTwo();
    const cache = new RowCache<bigint, string>(engine, ['notes'], 10);
    await engine.tx('write', (tx) => insertNote(tx, 1n, 'text 0'));
    for (let round = 1; round <= rounds(30); round += 1) {
      await cache.read(1n, () => textOfNote(engine, 1n));
      await engine.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = ${`${round}`} WHERE id = 1`));
      expect(await cache.read(1n, () => textOfNote(engine, 1n))).toBe(`${round}`);
    }
    await engine.tx('remove', (tx) => tx.run(sql`DELETE FROM notes`));
    expect(await cache.read(1n, () => textOfNote(engine, 1n))).toBeUndefined();
  });

  test('a statement that changes no row invalidates nothing', async () => {
    const [engine] = await openTwo();
    await steadyChanges(engine);
    const cache = new RowCache<bigint, string>(engine, ['notes'], 10);
    await engine.tx('write', (tx) => insertNote(tx, 1n, 'kept'));
    await cache.read(1n, () => textOfNote(engine, 1n));
    await engine.tx('change', async (tx) => {
      await tx.run(sql`UPDATE notes SET text = 'new' WHERE id = 2`);
      await tx.get(sql`UPDATE notes SET text = 'new' WHERE id = 2 RETURNING id`);
      await tx.all(sql`DELETE FROM notes WHERE id = 2 RETURNING id`);
    });
    expect(cache.find(1n)).toBe('kept');
    await engine.tx('change', (tx) => tx.get(sql`UPDATE notes SET text = 'new' WHERE id = 1 RETURNING id`));
    expect(cache.find(1n)).toBeUndefined();
  });

  test('a cache does not keep a row that changed while it was read', async () => {
    const [engine] = await openTwo();
    const cache = new RowCache<bigint, string>(engine, ['notes'], 10);
    await engine.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    const loaded = await cache.read(1n, async () => {
      const text = await textOfNote(engine, 1n);
      await engine.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = 'new' WHERE id = 1`));
      return text;
    });
    expect(loaded).toBe('old');
    expect(await cache.read(1n, () => textOfNote(engine, 1n))).toBe('new');
  });

  test('concurrent transactions of two engines lose no increment', async () => {
    const engines = await openTwo();
    const races = engines.flatMap((engine) =>
      Array.from({ length: 25 }, () => engine.tx('count', (tx) => increment(tx, 'n'))),
    );
    await Promise.all(races);
    expect(await counterValue(engines[0], 'n')).toBe(50);
  });

  test('a lock held for too long throws StorageUnavailable, and a later attempt succeeds', async () => {
    const [holder, waiter] = await openTwo({ busyLimitMs: 20 });
    const goOn = deferred();
    const holding = deferred();
    const held = holder.tx('hold', async (tx) => {
      await insertNote(tx, 1n);
      holding.resolve();
      await goOn.promise;
    });
    await holding.promise;
    // The same row, as engines with row locks do not wait for other rows.
    await expect(waiter.tx('wait', (tx) => insertNote(tx, 1n))).rejects.toThrow(StorageUnavailable);
    expect(await countNotes(waiter)).toBe(0);
    goOn.resolve();
    await held;
    await waiter.tx('again', (tx) => insertNote(tx, 2n));
    expect(await countNotes(holder)).toBe(2);
  });
}

async function countUsers(db: Queryable): Promise<number> {
  return asNumber((await db.get(sql`SELECT COUNT(*) AS n FROM users`))?.['n']);
}

/** Simulates a new request: in its own turn of the event loop, catching up first. */
async function nextRequest(engine: Engine): Promise<void> {
  await new Promise(setImmediate);
  await engine.catchUp();
}
