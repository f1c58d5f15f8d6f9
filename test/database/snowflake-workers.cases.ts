import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { firstIdAt, MAX_WORKER_ID, SNOWFLAKE_EPOCH_MS, timeOfId } from '../../src/core/snowflake.js';
import type { Engine, Tx } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { LEASE_MS, leaseSnowflakes } from '../../src/database/snowflake-workers.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { insertRows } from '../../src/database/table.js';
import { rounds } from '../support/rounds.js';
import type { TestDatabase, TestEngine } from './engines.js';

const START_MS = Date.UTC(2026, 0, 1);

/** Leases of worker ids (docs/design/storage.md#ids). */
export function snowflakeWorkerCases(kind: TestEngine): void {
  let database: TestDatabase;
  let engine: Engine;
  let nowMs: number;
  const clock = () => nowMs;

  beforeAll(async () => {
    database = await kind.create('schema');
    engine = await database.open();
  });

  beforeEach(() => {
    nowMs = START_MS;
  });

  afterEach(() =>
    engine.tx('clear', async (tx) => {
      await tx.run(sql`DELETE FROM snowflake_workers`);
      await tx.run(sql`DELETE FROM posts`);
    }),
  );

  afterAll(() => database.remove());

  test('processes that lease concurrently get distinct worker ids', async () => {
    const engines = kind.isShared ? [engine, await database.open()] : [engine];
    const leases = await Promise.all(
      Array.from({ length: 12 }, (_, n) => leaseSnowflakes(engines[n % engines.length] ?? engine, clock)),
    );
    const workers = leases.map((lease) => workerOf(lease.next()));
    expect(new Set(workers).size).toBe(12);
  });

  test('a worker id is free once its lease expires or is released', async () => {
    await leaseSnowflakes(engine, clock);
    const second = await leaseSnowflakes(engine, clock);
    expect(workerOf(second.next())).toBe(1);
    await second.release();
    nowMs += 10;
    expect(workerOf((await leaseSnowflakes(engine, clock)).next())).toBe(1);
    nowMs += LEASE_MS;
    expect(workerOf((await leaseSnowflakes(engine, clock)).next())).toBe(0);
  });

  test('an expired lease issues no ids until it is renewed', async () => {
    const lease = await leaseSnowflakes(engine, clock);
    nowMs += LEASE_MS - 1;
    lease.next();
    nowMs += 1;
    expect(() => lease.next()).toThrow(StorageUnavailable);
    await lease.renew();
    expect(workerOf(lease.next())).toBe(0);
  });

  test('a lease taken over by another process is renewed with another worker id', async () => {
    const expired = await leaseSnowflakes(engine, clock);
    const before = expired.next();
    nowMs += LEASE_MS + 1;
    const other = await leaseSnowflakes(engine, clock);
    expect(workerOf(other.next())).toBe(0);
    await expired.renew();
    const after = expired.next();
    expect(workerOf(after)).toBe(1);
    expect(after > before).toBe(true);
  });

  test('an expired lease renews itself on demand, also inside a transaction', async () => {
    const lease = await leaseSnowflakes(engine, clock);
    nowMs += LEASE_MS;
    const failing = engine.tx('post', async () => lease.next());
    await expect(failing).rejects.toThrow(StorageUnavailable);
    await vi.waitFor(() => expect(lease.isReady()).toBe(true));
    expect(workerOf(lease.next())).toBe(0);
  });

  test('a released lease issues no ids', async () => {
    const lease = await leaseSnowflakes(engine, clock);
    await lease.release();
    await lease.release();
    expect(() => lease.next()).toThrow(StorageUnavailable);
    await expect(lease.renew()).rejects.toThrow(StorageUnavailable);
  });

  test('when all 1,024 worker ids are leased, leasing throws StorageUnavailable', async () => {
    const leases = Array.from({ length: MAX_WORKER_ID + 1 }, (_, id) => [id, nowMs + LEASE_MS]);
    await engine.tx('fill', (tx) => insertLeases(tx, leases));
    await expect(leaseSnowflakes(engine, clock)).rejects.toThrow(StorageUnavailable);
  });

  test('after a restart with the clock set back, ids still exceed those of existing posts', async () => {
    const before = await leaseSnowflakes(engine, clock);
    nowMs += 1_000;
    const postId = before.next();
    await engine.tx('post', (tx) => insertPost(tx, postId));
    nowMs -= 86_400_000;
    const after = await leaseSnowflakes(engine, clock);
    expect(after.next() > postId).toBe(true);
  });

  test('an imported post with an id in the far future does not advance ids', async () => {
    await leaseSnowflakes(engine, clock);
    await engine.tx('post', (tx) => insertPost(tx, firstIdAt(START_MS + 86_400_000)));
    const lease = await leaseSnowflakes(engine, clock);
    expect(timeOfId(lease.next())).toBeLessThan(START_MS + 1_000);
  });

  test('the end of a lease exceeds every id, and a release moves it to just after the last', async () => {
    const lease = await leaseSnowflakes(engine, clock);
    nowMs += 5_000;
    lease.next();
    nowMs -= 60_000;
    await lease.renew();
    expect(await leaseEndMs(engine)).toBe(START_MS + 5_000 + LEASE_MS);
    await lease.release();
    expect(await leaseEndMs(engine)).toBe(START_MS + 5_001);
  });

  test('ids stay unique and posts in order, whatever the clock does between and during runs', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -400_000, max: 400_000 }) }),
      fc.constantFrom({ kind: 'post' as const }, { kind: 'crash' as const }, { kind: 'stop' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await engine.tx('clean', (tx) => tx.run(sql`DELETE FROM posts`));
        let lease = await leaseSnowflakes(engine, clock);
        let last = 0n;
        for (const next of steps) {
          if (next.kind === 'jump') nowMs = Math.max(SNOWFLAKE_EPOCH_MS, nowMs + next.ms);
          if (next.kind === 'stop') await lease.release();
          if (next.kind === 'stop' || next.kind === 'crash') lease = await leaseSnowflakes(engine, clock);
          if (next.kind !== 'post') continue;
          await lease.renew();
          const id = lease.next();
          expect(id > last).toBe(true);
          await engine.tx('post', (tx) => insertPost(tx, id));
          last = id;
        }
        await lease.release();
      }),
      { numRuns: rounds(20) },
    );
  });
}

function workerOf(id: bigint): number {
  return Number((id >> 12n) & 1023n);
}

async function leaseEndMs(engine: Engine): Promise<number> {
  return asNumber((await engine.get(sql`SELECT MAX(lease_until) AS ms FROM snowflake_workers`))?.['ms']);
}

const insertLeases = insertRows('INSERT INTO snowflake_workers (worker_id, lease_until)', 2);

function insertPost(tx: Tx, id: bigint): Promise<number> {
  return tx.run(sql`INSERT INTO posts (id, author_id, created_at, conversation_id, text, lang, reply_settings,
      super_followers_only, possibly_sensitive, nullcast, detail)
    VALUES (${id}, 1, ${timeOfId(id) ?? 0}, ${id}, 'x', 'en', 'everyone', 0, 0, 0, '{}')`);
}
