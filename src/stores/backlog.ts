import type { UserId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import type { Queryable } from '../database/engine.js';
import { asJson, asNumber, asOptionalNumber, sql } from '../database/sql.js';
import { countQuery, valueQuery } from '../database/table.js';

/** Pending background work, as shown to the operator. */
export interface Backlog {
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number };
  /** Posts that are not in all home timelines yet; at most `BACKLOG_LIMIT`. */
  readonly fanOutPosts: number;
  /** When the oldest of them was created. */
  readonly fanOutSinceMs: number | undefined;
  /** Posts waiting for the search index; at most `BACKLOG_LIMIT`. */
  readonly searchPosts: number;
}

const countFanOuts = countQuery<[limit: number]>('(SELECT 1 FROM pending_fan_outs LIMIT ?) AS pending');
const countUnindexed = countQuery<[limit: number]>('(SELECT 1 FROM search_pending LIMIT ?) AS pending');

/** Counting stops here, as an import may leave millions. */
export const BACKLOG_LIMIT = 10_000;

/** Counts the pending work. Takes a few milliseconds at most. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const jobs = await db.get(sql`
    SELECT COALESCE(SUM(CASE WHEN free_at IS NULL THEN 1 ELSE 0 END), 0) AS dead,
      COALESCE(SUM(CASE WHEN free_at IS NOT NULL AND lease IS NULL THEN 1 ELSE 0 END), 0) AS waiting,
      COALESCE(SUM(CASE WHEN free_at IS NOT NULL AND lease IS NOT NULL THEN 1 ELSE 0 END), 0) AS running
    FROM (SELECT free_at, lease FROM jobs LIMIT ${BACKLOG_LIMIT}) AS some_jobs`);
  const first = await db.get(sql`SELECT created_at FROM pending_fan_outs ORDER BY post_id LIMIT 1`);
  return {
    jobs: {
      waiting: asNumber(jobs?.['waiting']),
      running: asNumber(jobs?.['running']),
      dead: asNumber(jobs?.['dead']),
    },
    fanOutPosts: await countFanOuts(db, BACKLOG_LIMIT),
    fanOutSinceMs: asOptionalNumber(first?.['created_at']),
    searchPosts: await countUnindexed(db, BACKLOG_LIMIT),
  };
}

/** Counts what waits for webhooks. */
export async function readWebhookBacklog(db: Queryable) {
  const deliveries = await db.get(sql`SELECT COUNT(*) AS waiting FROM (
    SELECT 1 AS one FROM webhook_deliveries WHERE ended_at = 0 LIMIT ${BACKLOG_LIMIT}) AS some_deliveries`);
  const lanes = await db.get(sql`SELECT COUNT(*) AS failing, MIN(failing_since) AS since FROM (
    SELECT failing_since FROM webhook_lanes WHERE failures > 0 LIMIT ${BACKLOG_LIMIT}) AS some_lanes`);
  const change = await db.get(sql`SELECT created_at FROM change_feed
    WHERE events IS NOT NULL AND position > (SELECT CASE WHEN position < 0 THEN ${MAX_POSITION} ELSE position END
      FROM webhook_dispatch WHERE id = 1)
    ORDER BY position LIMIT 1`);
  return {
    /** Deliveries that wait; at most `BACKLOG_LIMIT`. */
    deliveries: asNumber(deliveries?.['waiting']),
    /** Subscriptions of webhooks whose first delivery failed; at most `BACKLOG_LIMIT`. */
    failingLanes: asNumber(lanes?.['failing']),
    /** When the first of them began to fail. */
    failingSinceMs: asOptionalNumber(lanes?.['since']),
    /** When the first change was committed that was not turned into deliveries; undefined without webhooks too. */
    undispatchedSinceMs: asOptionalNumber(change?.['created_at']),
  };
}

/** Stands for a feed that no webhook reads: nothing comes after it. */
const MAX_POSITION = 2n ** 63n - 1n;

/** Returns when the oldest claimable job of these kinds became due, or its lease expired. */
export const findOldestDueMs = valueQuery<number, [kinds: readonly string[], nowMs: number]>(
  asNumber,
  'SELECT free_at FROM jobs WHERE kind IN ? AND free_at <= ? ORDER BY free_at LIMIT 1',
);

/** Returns the newest schema version applied to the database. */
export const readSchemaVersion = valueQuery<number, []>(
  asNumber,
  'SELECT MAX(version) FROM pipit_migrations',
);

/** Returns the authors whose posts the search index must still reindex or remove, according to the pending jobs. */
export async function listPendingAuthors(db: Queryable): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT payload FROM jobs WHERE kind IN ('index-author', 'delete-account')`);
  const payloads = rows.map((row) => asJson<JobPayloads['index-author' | 'delete-account']>(row.payload));
  return payloads.flatMap((payload) => (payload ? [BigInt(payload.userId) as UserId] : []));
}
