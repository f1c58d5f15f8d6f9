import { asNumber, asOptionalNumber } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

/** Work that is left for later, as its operator sees it. */
export interface Backlog {
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number };
  /** Posts that are not in all home timelines yet; `BACKLOG_LIMIT` at most. */
  readonly fanOutPosts: number;
  /** When the first of them was made. */
  readonly fanOutSinceMs: number | undefined;
  /** Posts that the search index has yet to look at; `BACKLOG_LIMIT` at most. */
  readonly searchPosts: number;
}

/** Counting stops here: an import may leave millions. */
export const BACKLOG_LIMIT = 10_000;

/** Counts the work that waits, in some milliseconds at most. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const jobs = await db.get(sql`
    SELECT COALESCE(SUM(CASE WHEN free_at IS NULL THEN 1 ELSE 0 END), 0) AS dead,
      COALESCE(SUM(CASE WHEN free_at IS NOT NULL AND lease IS NULL THEN 1 ELSE 0 END), 0) AS waiting,
      COALESCE(SUM(CASE WHEN free_at IS NOT NULL AND lease IS NOT NULL THEN 1 ELSE 0 END), 0) AS running
    FROM (SELECT free_at, lease FROM jobs LIMIT ${BACKLOG_LIMIT}) AS some_jobs`);
  const fanOut = await db.get(sql`
    SELECT COUNT(*) AS n FROM (SELECT 1 FROM pending_fan_outs LIMIT ${BACKLOG_LIMIT}) AS pending`);
  const first = await db.get(sql`SELECT created_at FROM pending_fan_outs ORDER BY post_id LIMIT 1`);
  const search = await db.get(sql`
    SELECT COUNT(*) AS n FROM (SELECT 1 FROM search_pending LIMIT ${BACKLOG_LIMIT}) AS pending`);
  return {
    jobs: {
      waiting: asNumber(jobs?.['waiting']),
      running: asNumber(jobs?.['running']),
      dead: asNumber(jobs?.['dead']),
    },
    fanOutPosts: asNumber(fanOut?.['n']),
    fanOutSinceMs: asOptionalNumber(first?.['created_at']),
    searchPosts: asNumber(search?.['n']),
  };
}

/** When the longest waiting job of these kinds became due, or the lease of one that nobody works on ended. */
export async function findOldestDueMs(
  db: Queryable,
  kinds: readonly string[],
  nowMs: number,
): Promise<number | undefined> {
  const row = await db.get(sql`
    SELECT free_at FROM jobs WHERE free_at <= ${nowMs} AND kind IN ${list(kinds)} ORDER BY free_at LIMIT 1`);
  return asOptionalNumber(row?.['free_at']);
}

/** The newest schema version that was applied to the database. */
export async function readSchemaVersion(db: Queryable): Promise<number> {
  const row = await db.get(sql`SELECT MAX(version) AS version FROM pipit_migrations`);
  return asNumber(row?.['version']);
}
