import type { JobId } from '../core/ids.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import {
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
  list,
  sql,
  type SqlValue,
  type Sql,
} from '../database/sql.js';
import { countQuery, existsQuery, rowChange, rowQuery, rowsChange, valueQuery } from '../database/table.js';

export interface NewJob {
  readonly id: JobId;
  readonly kind: string;
  /** Any JSON value. */
  readonly payload: unknown;
  /** While a job with this key has not started, no other one is stored. */
  readonly uniqueKey?: string;
  readonly createdAtMs: number;
  readonly runAtMs: number;
  readonly maxAttempts: number;
}

/** The right to work on a job. Each claim gets a new token, which fences off a former holder. */
export interface JobLease {
  readonly jobId: JobId;
  readonly token: bigint;
}

/** A claimed job, to be worked on until `untilMs`. */
export interface ClaimedJob {
  readonly lease: JobLease;
  readonly untilMs: number;
  readonly kind: string;
  readonly payload: unknown;
  /** Starts at 1; greater than `maxAttempts` if no attempt is left. */
  readonly attempt: number;
  readonly maxAttempts: number;
}

type JobState = 'waiting' | 'running' | 'dead';

/** A job as shown to the operator. */
export interface StoredJob {
  readonly id: JobId;
  readonly kind: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAtMs: number;
  /** When a waiting job is due or the lease of a running job expires. Absent: dead. */
  readonly freeAtMs?: number;
  readonly lastError?: string;
}

export interface Claim {
  /** Other kinds are skipped: another version of Pipit may know them. */
  readonly kinds: readonly string[];
  readonly nowMs: number;
  /** When the leases expire. */
  readonly untilMs: number;
  readonly limit: number;
  /** Returns a token that no earlier claim used. */
  nextToken(): bigint;
}

/** Stores a job. Returns false and stores nothing if a job with the same unique key has not started yet. */
export function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  return tx.runOne(sql`
    INSERT INTO jobs (id, kind, payload, unique_key, created_at, free_at, attempts, max_attempts)
    VALUES (${job.id}, ${job.kind}, ${JSON.stringify(job.payload)}, ${job.uniqueKey}, ${job.createdAtMs},
      ${job.runAtMs}, 0, ${job.maxAttempts})
    ON CONFLICT (unique_key) DO NOTHING`);
}

/** Reports whether a job of these kinds can be claimed. A read, so that an idle worker does not write. */
export const hasDueJob = existsQuery<[kinds: readonly string[], nowMs: number]>(
  'SELECT 1 FROM jobs WHERE kind IN ? AND free_at <= ? LIMIT 1',
);

/** Reports whether a job of a kind, with a text in its payload as stored, waits or runs. */
export async function hasJobWith(db: Queryable, kind: string, text: string): Promise<boolean> {
  const row = await db.get(sql`SELECT 1 AS found FROM jobs
    WHERE kind = ${kind} AND free_at IS NOT NULL AND payload LIKE ${`%${text}%`} LIMIT 1`);
  return row !== undefined;
}

/**
 * Claims jobs that are due or whose lease expired, longest due first. Concurrent callers never get the same job. A
 * job whose last attempt died with its process is returned with one attempt too many, only to be marked dead.
 * Also returns the number of due jobs that were `seen`; another process may have claimed some of them.
 */
export async function claimJobs(tx: Tx, claim: Claim) {
  const { kinds, nowMs, limit } = claim;
  const due = await tx.all(sql`SELECT id FROM jobs WHERE free_at <= ${nowMs} AND kind IN ${list(kinds)}
    ORDER BY free_at, id LIMIT ${limit}`);
  const jobs: ClaimedJob[] = [];
  for (const row of due) {
    const job = await claimJob(tx, claim, { jobId: asId(row['id']), token: claim.nextToken() });
    if (job) jobs.push(job);
  }
  return { jobs, seen: due.length };
}

/** Reads the job in the same statement that claims it, since the previous holder may have just changed it. */
async function claimJob(tx: Tx, claim: Claim, lease: JobLease): Promise<ClaimedJob | undefined> {
  const { nowMs, untilMs } = claim;
  const row = await tx.get(sql`
    UPDATE jobs SET lease = ${lease.token}, free_at = ${untilMs}, attempts = attempts + 1, unique_key = NULL
    WHERE id = ${lease.jobId} AND free_at <= ${nowMs}
    RETURNING kind, payload, attempts, max_attempts`);
  return (
    row && {
      lease,
      untilMs,
      kind: asText(row['kind']),
      payload: JSON.parse(asText(row['payload'])),
      attempt: asNumber(row['attempts']),
      maxAttempts: asNumber(row['max_attempts']),
    }
  );
}

/** Extends a lease. Returns false if the lease was lost. */
export function renewJob(tx: Tx, lease: JobLease, untilMs: number): Promise<boolean> {
  return updateHeld(tx, lease, sql`free_at = ${untilMs}`);
}

/** Deletes a completed job. Returns false and changes nothing if the lease was lost. */
export function completeJob(tx: Tx, lease: JobLease): Promise<boolean> {
  return tx.runOne(sql`DELETE FROM jobs WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
}

/** Changes columns of a job under a lease. Returns false if the lease was lost. */
function updateHeld(tx: Tx, lease: JobLease, values: Sql): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE jobs SET ${values} WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
}

/** Requeues a job with another payload and resets its attempts. Returns false if the lease was lost. */
export function continueJob(tx: Tx, lease: JobLease, payload: unknown, runAtMs: number): Promise<boolean> {
  const json = JSON.stringify(payload);
  const values = sql`payload = ${json}, free_at = ${runAtMs}, lease = NULL, attempts = 0, last_error = NULL`;
  return updateHeld(tx, lease, values);
}

/** Gives the job with a unique key, which has not started, another time. */
export async function rescheduleJob(tx: Tx, uniqueKey: string, runAtMs: number): Promise<void> {
  await tx.run(sql`UPDATE jobs SET free_at = ${runAtMs} WHERE unique_key = ${uniqueKey}`);
}

/** Records a failed attempt. Without `retryAtMs` the job is dead. Returns false if the lease was lost. */
export function failJob(
  tx: Tx,
  lease: JobLease,
  { error, retryAtMs }: { readonly error: string; readonly retryAtMs?: number },
): Promise<boolean> {
  return updateHeld(tx, lease, sql`free_at = ${retryAtMs}, lease = NULL, last_error = ${error}`);
}

/** Releases a job as if it had not been claimed. Returns false if the lease was lost. */
export function releaseJob(tx: Tx, lease: JobLease, nowMs: number): Promise<boolean> {
  return updateHeld(tx, lease, sql`free_at = ${nowMs}, lease = NULL, attempts = attempts - 1`);
}

/** Releases all jobs that run, whose processes work on another copy of the database. */
export const releaseJobs = rowsChange<[freeAtMs: number]>(
  'UPDATE jobs SET free_at = ?, lease = NULL, attempts = attempts - 1 WHERE lease IS NOT NULL',
);

/** Returns when the next job of other kinds than one is due after a time. */
export const findNextJobMs = valueQuery<number | undefined, [afterMs: number, otherThan: string]>(
  asOptionalNumber,
  'SELECT MIN(free_at) FROM jobs WHERE free_at > ? AND kind <> ?',
);

/** Makes a waiting or dead job due now and resets its attempts. Returns false if it is running or unknown. */
export const retryJob = rowChange<[dueAtMs: number, JobId]>(
  'UPDATE jobs SET free_at = ?, attempts = 0 WHERE id = ? AND lease IS NULL',
);

/**
 * Deletes a job in any state; a worker that holds it can no longer complete it. Returns undefined if there is none.
 */
export const deleteJob = rowQuery<Pick<ClaimedJob, 'kind' | 'payload'>, [JobId]>(
  (row) => ({ kind: asText(row['kind']), payload: JSON.parse(asText(row['payload'])) }),
  'DELETE FROM jobs WHERE id = ? RETURNING kind, payload',
);

export async function findJob(db: Queryable, id: JobId): Promise<StoredJob | undefined> {
  return (await listJobs(db, sql`id = ${id}`))[0];
}

/** Returns up to `limit` jobs with ids above `afterId`, oldest first. */
export function pageJobs(db: Queryable, afterId: JobId, limit: number): Promise<StoredJob[]> {
  return listJobs(db, sql`id > ${afterId} ORDER BY id LIMIT ${limit}`);
}

export const countDeadJobs = countQuery<[]>('jobs WHERE free_at IS NULL');

async function listJobs(db: Queryable, condition: Sql): Promise<StoredJob[]> {
  const rows = await db.all(sql`
    SELECT id, kind, created_at, free_at, lease, attempts, max_attempts, last_error FROM jobs WHERE ${condition}`);
  return rows.map(decodeJob);
}

function decodeJob(row: Row): StoredJob {
  return {
    id: asId(row['id']),
    kind: asText(row['kind']),
    state: stateOf(row['free_at'], row['lease']),
    attempts: Math.min(asNumber(row['attempts']), asNumber(row['max_attempts'])),
    maxAttempts: asNumber(row['max_attempts']),
    createdAtMs: asNumber(row['created_at']),
    freeAtMs: asOptionalNumber(row['free_at']),
    lastError: asOptionalText(row['last_error']),
  };
}

function stateOf(freeAt: SqlValue | undefined, lease: SqlValue | undefined): JobState {
  if (asOptionalNumber(freeAt) === undefined) return 'dead';
  return asOptionalId(lease) === undefined ? 'waiting' : 'running';
}
