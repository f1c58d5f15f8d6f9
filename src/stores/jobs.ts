import type { JobId } from '../core/ids.js';
import {
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
} from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, sql, type SqlValue } from '../database/sql.js';

export interface NewJob {
  readonly id: JobId;
  readonly kind: string;
  /** Whatever JSON can hold. */
  readonly payload: unknown;
  /** While a job with this key has not begun, another one is not stored. */
  readonly uniqueKey?: string;
  readonly createdAtMs: number;
  readonly runAtMs: number;
  readonly maxAttempts: number;
}

/** The right to work on a job. The token is another at each claim, so that who lost the job changes it no more. */
export interface JobLease {
  readonly jobId: JobId;
  readonly token: bigint;
}

/** A job that was taken, to be worked on until `untilMs`. */
export interface ClaimedJob {
  readonly lease: JobLease;
  readonly untilMs: number;
  readonly kind: string;
  readonly payload: unknown;
  /** 1 at the first try; more than `maxAttempts` when no try is left. */
  readonly attempt: number;
  readonly maxAttempts: number;
}

type JobState = 'waiting' | 'running' | 'dead';

/** A job as its operator sees it. */
export interface StoredJob {
  readonly id: JobId;
  readonly kind: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAtMs: number;
  /** Waiting: when it is due. Running: when its lease ends. Absent: dead. */
  readonly freeAtMs?: number;
  readonly lastError?: string;
}

export interface Claim {
  /** Other kinds are left alone: another version of Pipit may know them. */
  readonly kinds: readonly string[];
  readonly nowMs: number;
  /** When the leases end. */
  readonly untilMs: number;
  readonly limit: number;
  /** A number that no claim ever had. */
  nextToken(): bigint;
}

export interface ClaimOutcome {
  readonly jobs: readonly ClaimedJob[];
  /** How many were due; some of them may have gone to another process. */
  readonly seen: number;
}

/** False when a job with the same unique key waits to begin; then nothing is stored. */
export async function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO jobs (id, kind, payload, unique_key, created_at, free_at, attempts, max_attempts)
    VALUES (${job.id}, ${job.kind}, ${JSON.stringify(job.payload)}, ${job.uniqueKey}, ${job.createdAtMs},
      ${job.runAtMs}, 0, ${job.maxAttempts})
    ON CONFLICT (unique_key) DO NOTHING`);
  return inserted === 1;
}

/** True when a job of these kinds may be taken. A read, so that an idle worker does not write. */
export async function hasDueJob(db: Queryable, kinds: readonly string[], nowMs: number): Promise<boolean> {
  const row = await db.get(
    sql`SELECT 1 AS found FROM jobs WHERE free_at <= ${nowMs} AND kind IN ${list(kinds)} LIMIT 1`,
  );
  return row !== undefined;
}

/**
 * Takes jobs that are due or whose lease has ended, the longest due first. Any number of processes may do so at once:
 * each job goes to one. A job whose last attempt ended with its process comes with one attempt too many: only to be ended.
 */
export async function claimJobs(tx: Tx, claim: Claim): Promise<ClaimOutcome> {
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

/** What the job holds is read by the same statement that takes it: whoever had it may have changed it just before. */
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

/** Extends a lease; false when it is not held any more. */
export async function renewJob(tx: Tx, lease: JobLease, untilMs: number): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE jobs SET free_at = ${untilMs}
    WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
  return changed === 1;
}

/** Ends a job that is done; false, and nothing is changed, when the lease is not held any more. */
export async function completeJob(tx: Tx, lease: JobLease): Promise<boolean> {
  const deleted = await tx.run(sql`DELETE FROM jobs WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
  return deleted === 1;
}

/** Puts a job back with another payload, its attempts counted anew; false when the lease is not held any more. */
export async function continueJob(
  tx: Tx,
  lease: JobLease,
  payload: unknown,
  runAtMs: number,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE jobs SET payload = ${JSON.stringify(payload)}, free_at = ${runAtMs}, lease = NULL, attempts = 0,
      last_error = NULL
    WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
  return changed === 1;
}

/** Records a failed attempt; without `retryAtMs` the job is dead. False when the lease is not held any more. */
export async function failJob(
  tx: Tx,
  lease: JobLease,
  failure: { readonly error: string; readonly retryAtMs?: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE jobs SET free_at = ${failure.retryAtMs}, lease = NULL, last_error = ${failure.error}
    WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
  return changed === 1;
}

/** Gives a job back as if it had not been taken; false when the lease is not held any more. */
export async function releaseJob(tx: Tx, lease: JobLease, nowMs: number): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE jobs SET free_at = ${nowMs}, lease = NULL, attempts = attempts - 1
    WHERE id = ${lease.jobId} AND lease = ${lease.token}`);
  return changed === 1;
}

/** Lets a job that waits or is dead run now, its attempts counted anew; false when it is running or unknown. */
export async function retryJob(tx: Tx, id: JobId, nowMs: number): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE jobs SET free_at = ${nowMs}, attempts = 0 WHERE id = ${id} AND lease IS NULL`);
  return changed === 1;
}

/** Deletes a job in any state; undefined when there is none. Who works on it can no more complete it. */
export async function deleteJob(
  tx: Tx,
  id: JobId,
): Promise<Pick<ClaimedJob, 'kind' | 'payload'> | undefined> {
  const row = await tx.get(sql`DELETE FROM jobs WHERE id = ${id} RETURNING kind, payload`);
  return row && { kind: asText(row['kind']), payload: JSON.parse(asText(row['payload'])) };
}

export async function findJob(db: Queryable, id: JobId): Promise<StoredJob | undefined> {
  const row = await db.get(sql`
    SELECT id, kind, created_at, free_at, lease, attempts, max_attempts, last_error
    FROM jobs WHERE id = ${id}`);
  return row && decodeJob(row);
}

/** Up to `limit` jobs after an id, oldest first. */
export async function pageJobs(db: Queryable, afterId: JobId, limit: number): Promise<StoredJob[]> {
  const rows = await db.all(sql`
    SELECT id, kind, created_at, free_at, lease, attempts, max_attempts, last_error
    FROM jobs WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`);
  return rows.map(decodeJob);
}

export async function countDeadJobs(db: Queryable): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS n FROM jobs WHERE free_at IS NULL`);
  return asNumber(row?.['n']);
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
