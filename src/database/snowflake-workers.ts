import { AsyncResource } from 'node:async_hooks';
import type { Clock } from '../core/clock.js';
import { MAX_ID } from '../core/ids.js';
import {
  createSnowflakes,
  firstIdAt,
  MAX_WORKER_ID,
  SNOWFLAKE_EPOCH_MS,
  timeOfId,
  type IdSource,
} from '../core/snowflake.js';
import type { Engine, Queryable, Tx } from './engine.js';
import { StorageUnavailable } from './errors.js';
import { asNumber, asOptionalId, sql } from './sql.js';
import { silentLog, type StorageLog } from './storage-log.js';
import { rowsQuery } from './table.js';

/** The worker id of an ended process becomes free this long after its last renewal. */
export const LEASE_MS = 180_000;
const RENEWAL_MS = 60_000;

/**
 * Ids under a leased worker id that no other process uses.
 *
 * `next` throws StorageUnavailable if the lease has expired (the process was suspended, the clock was set forward),
 * because another process may have the worker id by now. It then starts a renewal, so that a later call succeeds.
 */
export interface LeasedSnowflakes extends IdSource {
  /** Reports whether `next` would succeed; false after a laptop was suspended, for example. */
  isReady(): boolean;
  /**
   * Extends the lease, or takes another worker id if this one was taken. A timer calls it each minute. With `aheadMs`,
   * the lease holds after the clock has moved to that time.
   */
  renew(aheadMs?: number): Promise<void>;
  /** Ends the lease for a clean stop; `next` throws from then on. */
  release(): Promise<void>;
}

/** A leased worker id. No id generated under it reaches the time `untilMs`. */
export interface OpenLease {
  readonly workerId: number;
  readonly untilMs: number;
}

interface Holding {
  readonly lease: OpenLease;
  readonly ids: ReturnType<typeof createSnowflakes>;
}

/**
 * Leases a worker id and generates snowflakes under it: unique, and above all post ids of earlier processes, even if
 * the clock was set back (docs/design/storage.md#ids). Throws StorageUnavailable if all worker ids are leased.
 */
export async function leaseSnowflakes(
  engine: Engine,
  clock: Clock,
  log: StorageLog = silentLog,
): Promise<LeasedSnowflakes> {
  let holding = await engine.tx('lease snowflakes', (tx) => take(tx, clock, 0));
  let renewing: Promise<void> | undefined;
  let isReleased = false;

  const extend = async (aheadMs: number): Promise<void> => {
    const { ids, lease } = holding;
    const extended = await engine.tx('renew snowflakes', async (tx) => {
      const untilMs = Math.max(clock(), ids.lastMs(), aheadMs) + LEASE_MS;
      const isExtended = await move(tx, lease, untilMs);
      return isExtended ? { ids, lease: { ...lease, untilMs } } : take(tx, clock, ids.lastMs());
    });
    holding = extended;
  };

  const renew = async (aheadMs = 0): Promise<void> => {
    if (isReleased) throw new StorageUnavailable('the snowflake lease was released');
    // A renewal under way may end before that time.
    while (aheadMs > 0 && renewing) await renewing.catch(() => undefined);
    renewing ??= extend(aheadMs).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  // Bound to the context of its creation: `next` may be called inside a transaction, where the engine must not be
  // used.
  const renewInBackground = AsyncResource.bind((): void => {
    if (isReleased) return;
    renew().catch((err: unknown) => log.warn({ err }, 'the snowflake lease was not renewed'));
  });

  const timer = setInterval(renewInBackground, RENEWAL_MS);
  timer.unref();

  const isReady = (): boolean => {
    // An exhausted sequence moves the source one millisecond ahead.
    const latestMs = Math.max(clock(), holding.ids.lastMs() + 1);
    return !isReleased && latestMs < holding.lease.untilMs;
  };

  return {
    isReady,
    next: <T extends bigint>() => {
      if (!isReady()) {
        renewInBackground();
        throw new StorageUnavailable('the snowflake lease has expired');
      }
      return holding.ids.next<T>();
    },
    renew,
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      await renewing?.catch(() => undefined);
      // A lease ends at the first millisecond that it does not cover.
      await engine.tx('release snowflakes', (tx) => move(tx, holding.lease, holding.ids.lastMs() + 1));
    },
  };
}

/** Returns the engine with transactions that renew the lease first if it expired while the machine was suspended. */
export function withReadyIds(engine: Engine, ids: LeasedSnowflakes): Engine {
  return {
    ...engine,
    tx: async (name, body, isolation) => {
      if (!ids.isReady()) await ids.renew();
      return engine.tx(name, body, isolation);
    },
  };
}

/** Takes a worker id with an expired lease, or else an unused one. New ids will exceed `usedMs`. */
async function take(tx: Tx, clock: Clock, usedMs: number): Promise<Holding> {
  const nowMs = clock();
  const leases = await listLeases(tx);
  const floorMs = Math.max(nowMs, usedMs, await lastPostMs(tx, leases));
  const untilMs = floorMs + LEASE_MS;
  const workerId = (await takeEnded(tx, leases, nowMs, untilMs)) ?? (await takeUnused(tx, leases, untilMs));
  if (workerId === undefined) throw new StorageUnavailable('all snowflake worker ids are leased');
  return { lease: { workerId, untilMs }, ids: createSnowflakes(clock, workerId, floorMs) };
}

const listLeases = rowsQuery<OpenLease, []>(
  (row) => ({ workerId: asNumber(row['worker_id']), untilMs: asNumber(row['lease_until']) }),
  'SELECT worker_id, lease_until FROM snowflake_workers ORDER BY worker_id',
);

/** Returns the leases that have not expired. */
export async function listOpenLeases(db: Queryable, nowMs: number): Promise<OpenLease[]> {
  const leases = await listLeases(db);
  return leases.filter(({ untilMs }) => untilMs > nowMs);
}

/**
 * Returns the time of the newest post whose id a process may have generated: before the end of every lease. Imported
 * posts with ids in the far future must not move ids ahead of the clock.
 */
async function lastPostMs(tx: Tx, leases: readonly OpenLease[]): Promise<number> {
  const latestEndMs = Math.max(SNOWFLAKE_EPOCH_MS, ...leases.map((lease) => lease.untilMs));
  const firstId = firstIdAt(latestEndMs);
  const bound = firstId < MAX_ID ? firstId : MAX_ID;
  const row = await tx.get(sql`SELECT MAX(id) AS id FROM posts WHERE id < ${bound}`);
  const id = asOptionalId(row?.['id']);
  return (id === undefined ? undefined : timeOfId(id)) ?? 0;
}

/** Takes an expired lease. Every id generated under it is older than its end, and so older than now. */
async function takeEnded(
  tx: Tx,
  leases: readonly OpenLease[],
  nowMs: number,
  untilMs: number,
): Promise<number | undefined> {
  for (const lease of leases) {
    if (lease.untilMs <= nowMs && (await move(tx, lease, untilMs))) return lease.workerId;
  }
  return undefined;
}

async function takeUnused(
  tx: Tx,
  leases: readonly OpenLease[],
  untilMs: number,
): Promise<number | undefined> {
  const known = new Set(leases.map((lease) => lease.workerId));
  for (let workerId = 0; workerId <= MAX_WORKER_ID; workerId += 1) {
    if (known.has(workerId)) continue;
    const inserted = await tx.run(sql`INSERT INTO snowflake_workers (worker_id, lease_until)
      VALUES (${workerId}, ${untilMs}) ON CONFLICT DO NOTHING`);
    if (inserted === 1) return workerId;
  }
  return undefined;
}

/** Changes the end of a lease. Returns false if another process has taken it. */
async function move(tx: Tx, lease: OpenLease, untilMs: number): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${untilMs}
    WHERE worker_id = ${lease.workerId} AND lease_until = ${lease.untilMs}`);
  return changed === 1;
}
