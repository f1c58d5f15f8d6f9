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
import { asNumber, asOptionalId } from './decode.js';
import type { Engine, Queryable, Tx } from './engine.js';
import { StorageUnavailable } from './errors.js';
import { sql } from './sql.js';
import { silentLog, type StorageLog } from './storage-log.js';

/** A process that is gone gives its worker id back this long after its last renewal. */
export const LEASE_MS = 180_000;
const RENEWAL_MS = 60_000;

/**
 * Ids under a worker id that no other process uses meanwhile.
 *
 * `next` throws StorageUnavailable when the lease has run out (the process was suspended, the clock was set forward):
 * the worker id may be another's by now. It asks for a renewal then, so that a later call succeeds.
 */
export interface LeasedSnowflakes extends IdSource {
  /** False when `next` would throw: after a laptop slept, say. */
  isReady(): boolean;
  /** Extends the lease, or takes another worker id when this one was taken. A timer does so each minute. */
  renew(): Promise<void>;
  /** Ends the lease; `next` throws from then on. For a clean stop. */
  release(): Promise<void>;
}

/** A worker id in the table, held until a time that no id made under it reaches. */
export interface OpenLease {
  readonly workerId: number;
  readonly untilMs: number;
}

interface Holding {
  readonly lease: OpenLease;
  readonly ids: ReturnType<typeof createSnowflakes>;
}

/**
 * Leases a worker id and hands out snowflakes under it: none twice, and none below a post's id that an earlier process
 * gave, even if the clock was set back meanwhile (ARCHITECTURE.md). Throws StorageUnavailable when all are leased.
 */
export async function leaseSnowflakes(
  engine: Engine,
  clock: Clock,
  log: StorageLog = silentLog,
): Promise<LeasedSnowflakes> {
  let holding = await engine.tx('lease snowflakes', (tx) => take(tx, clock, 0));
  let renewing: Promise<void> | undefined;
  let isReleased = false;

  const extend = async (): Promise<void> => {
    const { ids, lease } = holding;
    const extended = await engine.tx('renew snowflakes', async (tx) => {
      const untilMs = Math.max(clock(), ids.lastMs()) + LEASE_MS;
      const isExtended = await move(tx, lease, untilMs);
      return isExtended ? { ids, lease: { ...lease, untilMs } } : take(tx, clock, ids.lastMs());
    });
    holding = extended;
  };

  const renew = async (): Promise<void> => {
    if (isReleased) throw new StorageUnavailable('the snowflake lease was released');
    renewing ??= extend().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  // Bound to where it was made: `next` may be called inside a transaction, where the engine could not be used.
  const renewInBackground = AsyncResource.bind((): void => {
    if (isReleased) return;
    renew().catch((err: unknown) => log.warn({ err }, 'the snowflake lease was not renewed'));
  });

  const timer = setInterval(renewInBackground, RENEWAL_MS);
  timer.unref();

  const isReady = (): boolean => {
    // A sequence that is used up moves the source one millisecond beyond its last.
    const latestMs = Math.max(clock(), holding.ids.lastMs() + 1);
    return !isReleased && latestMs < holding.lease.untilMs;
  };

  return {
    isReady,
    next: <T extends bigint>() => {
      if (!isReady()) {
        renewInBackground();
        throw new StorageUnavailable('the snowflake lease has run out');
      }
      return holding.ids.next<T>();
    },
    renew,
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      await renewing?.catch(() => undefined);
      // The end of a lease is the first millisecond that it does not cover.
      await engine.tx('release snowflakes', (tx) => move(tx, holding.lease, holding.ids.lastMs() + 1));
    },
  };
}

/** Takes a worker id whose lease has ended, else one never used. Ids will exceed `usedMs` too. */
async function take(tx: Tx, clock: Clock, usedMs: number): Promise<Holding> {
  const nowMs = clock();
  const leases = await listLeases(tx);
  const floorMs = Math.max(nowMs, usedMs, await lastPostMs(tx, leases));
  const untilMs = floorMs + LEASE_MS;
  const workerId = (await takeEnded(tx, leases, nowMs, untilMs)) ?? (await takeUnused(tx, leases, untilMs));
  if (workerId === undefined) throw new StorageUnavailable('all snowflake worker ids are leased');
  return { lease: { workerId, untilMs }, ids: createSnowflakes(clock, workerId, floorMs) };
}

async function listLeases(db: Queryable): Promise<OpenLease[]> {
  const rows = await db.all(sql`SELECT worker_id, lease_until FROM snowflake_workers ORDER BY worker_id`);
  return rows.map((row) => ({
    workerId: asNumber(row['worker_id']),
    untilMs: asNumber(row['lease_until']),
  }));
}

/** Returns the leases that have not expired. */
export async function listOpenLeases(db: Queryable, nowMs: number): Promise<OpenLease[]> {
  const leases = await listLeases(db);
  return leases.filter(({ untilMs }) => untilMs > nowMs);
}

/**
 * When the latest post was made that a process may have given its id: below the end of every lease. Posts imported with
 * ids of a far future are no reason to run ahead of the clock.
 */
async function lastPostMs(tx: Tx, leases: readonly OpenLease[]): Promise<number> {
  const latestEndMs = Math.max(SNOWFLAKE_EPOCH_MS, ...leases.map((lease) => lease.untilMs));
  const firstId = firstIdAt(latestEndMs);
  const bound = firstId < MAX_ID ? firstId : MAX_ID;
  const row = await tx.get(sql`SELECT MAX(id) AS id FROM posts WHERE id < ${bound}`);
  const id = asOptionalId(row?.['id']);
  return (id === undefined ? undefined : timeOfId(id)) ?? 0;
}

/** Every id made under an ended lease is older than its end, and so older than now. */
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

/** Sets the end of a lease if it still is as known; false when another process has taken it. */
async function move(tx: Tx, lease: OpenLease, untilMs: number): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${untilMs}
    WHERE worker_id = ${lease.workerId} AND lease_until = ${lease.untilMs}`);
  return changed === 1;
}
