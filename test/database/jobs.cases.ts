import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import {
  claimJobs,
  completeJob,
  continueJob,
  countDeadJobs,
  deleteJob,
  failJob,
  findJob,
  hasDueJob,
  insertJob,
  pageJobs,
  releaseJob,
  renewJob,
  retryJob,
  type ClaimedJob,
  type NewJob,
} from '../../src/stores/jobs.js';
import type { TestDatabase, TestEngine } from './engines.js';

const START_MS = Date.UTC(2026, 0, 1);
const LEASE_MS = 60_000;
const KINDS = ['walk', 'run'];

/** The contract of the jobs table for any number of processes. */
export function jobCases(kind: TestEngine): void {
  let database: TestDatabase;
  let engine: Engine;
  let nowMs: number;
  let tokens: bigint;

  beforeEach(async () => {
    nowMs = START_MS;
    tokens = 0n;
    database = await kind.create('schema');
    engine = await database.open();
  });

  afterEach(() => database.remove());

  const insert = (id: number, job: Partial<NewJob> = {}) =>
    engine.tx('insert', (tx) =>
      insertJob(tx, {
        id: BigInt(id) as JobId,
        kind: 'walk',
        payload: { step: id },
        createdAtMs: nowMs,
        runAtMs: nowMs,
        maxAttempts: 3,
        ...job,
      }),
    );

  const claim = async (limit = 10, on = engine): Promise<readonly ClaimedJob[]> => {
    const { jobs } = await on.tx('claim', (tx) =>
      claimJobs(tx, {
        kinds: KINDS,
        nowMs,
        untilMs: nowMs + LEASE_MS,
        limit,
        nextToken: () => (tokens += 1n),
      }),
    );
    return jobs;
  };

  const claimOne = async (): Promise<ClaimedJob> => {
    const [job] = await claim(1);
    if (!job) throw new Error('no job was due');
    return job;
  };

  const find = (id: number) => findJob(engine, BigInt(id) as JobId);

  test('a claim returns payload, attempt and lease, and a second claim does not return the job', async () => {
    await insert(1);
    const job = await claimOne();
    expect(job).toMatchObject({ kind: 'walk', payload: { step: 1 }, attempt: 1, maxAttempts: 3 });
    expect(job.untilMs).toBe(nowMs + LEASE_MS);
    expect(await find(1)).toMatchObject({ state: 'running', attempts: 1 });
    expect(await claim()).toEqual([]);
  });

  test('jobs are claimed in order of due time up to the limit, and not before they are due', async () => {
    await insert(1, { runAtMs: nowMs - 1 });
    await insert(2, { runAtMs: nowMs - 3 });
    await insert(3, { runAtMs: nowMs - 2 });
    await insert(4, { runAtMs: nowMs + 1 });
    const ids = (jobs: readonly ClaimedJob[]) => jobs.map((job) => Number(job.lease.jobId));
    expect(ids(await claim(2))).toEqual([2, 3]);
    expect(ids(await claim(2))).toEqual([1]);
    expect(await hasDueJob(engine, KINDS, nowMs)).toBe(false);
    expect(await hasDueJob(engine, KINDS, nowMs + 1)).toBe(true);
  });

  test('unknown kinds of jobs are not claimed', async () => {
    await insert(1, { kind: 'fly' });
    expect(await hasDueJob(engine, KINDS, nowMs)).toBe(false);
    expect(await claim()).toEqual([]);
    expect(await find(1)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  test('concurrent workers claim each job once', async () => {
    const second = kind.isShared ? await database.open() : engine;
    for (let id = 1; id <= 40; id += 1) await insert(id);
    const claims = Array.from({ length: 20 }, (_, n) => claim(5, n % 2 === 0 ? engine : second));
    const claimed = (await Promise.all(claims)).flat().map((job) => Number(job.lease.jobId));
    // A claim whose candidates were claimed by others can return fewer jobs.
    claimed.push(...(await claim(40)).map((job) => Number(job.lease.jobId)));
    expect(claimed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  test('a job can be claimed again once its lease expires; renewing extends the lease', async () => {
    await insert(1);
    const first = await claimOne();
    nowMs += LEASE_MS - 1;
    expect(await claim()).toEqual([]);
    expect(await engine.tx('renew', (tx) => renewJob(tx, first.lease, nowMs + LEASE_MS))).toBe(true);
    nowMs += LEASE_MS - 1;
    expect(await claim()).toEqual([]);
    nowMs += 1;
    expect(await claimOne()).toMatchObject({ attempt: 2 });
  });

  test('an expired and reclaimed lease can no longer change the job', async () => {
    await insert(1);
    const { lease } = await claimOne();
    nowMs += LEASE_MS;
    const second = await claimOne();
    const outcomes = await engine.tx('late', async (tx) => [
      await renewJob(tx, lease, nowMs + 1),
      await completeJob(tx, lease),
      await continueJob(tx, lease, {}, nowMs),
      await failJob(tx, lease, { error: 'late' }),
      await releaseJob(tx, lease, nowMs),
    ]);
    expect(outcomes).toEqual([false, false, false, false, false]);
    expect(await find(1)).toMatchObject({ state: 'running', attempts: 2 });
    expect(await engine.tx('complete', (tx) => completeJob(tx, second.lease))).toBe(true);
    expect(await find(1)).toBeUndefined();
  });

  test('an expired lease that was not reclaimed is still valid', async () => {
    await insert(1);
    const { lease } = await claimOne();
    nowMs += 10 * LEASE_MS;
    expect(await engine.tx('complete', (tx) => completeJob(tx, lease))).toBe(true);
  });

  test('a continued job has a new payload and restarts its attempts', async () => {
    await insert(1);
    const { lease } = await claimOne();
    await engine.tx('continue', (tx) => continueJob(tx, lease, { step: 'next' }, nowMs + 5));
    expect(await claim()).toEqual([]);
    nowMs += 5;
    expect(await claimOne()).toMatchObject({ payload: { step: 'next' }, attempt: 1 });
  });

  test('a failed job keeps its error and waits; without a retry time it is dead until retried', async () => {
    await insert(1);
    const first = await claimOne();
    await engine.tx('fail', (tx) => failJob(tx, first.lease, { error: 'once', retryAtMs: nowMs + 9 }));
    expect(await find(1)).toMatchObject({ state: 'waiting', freeAtMs: nowMs + 9, lastError: 'once' });
    nowMs += 9;
    const second = await claimOne();
    await engine.tx('fail', (tx) => failJob(tx, second.lease, { error: 'twice' }));
    expect(await find(1)).toMatchObject({ state: 'dead', attempts: 2, lastError: 'twice' });
    nowMs += 1_000 * LEASE_MS;
    expect(await claim()).toEqual([]);
    expect(await countDeadJobs(engine)).toBe(1);
    expect(await engine.tx('retry', (tx) => retryJob(tx, nowMs, 1n as JobId))).toBe(true);
    expect(await countDeadJobs(engine)).toBe(0);
    expect(await claimOne()).toMatchObject({ attempt: 1 });
    expect(await engine.tx('retry', (tx) => retryJob(tx, nowMs, 1n as JobId))).toBe(false);
  });

  test('a job that crashes its process at every attempt is claimed once more, to be marked as dead', async () => {
    await insert(1, { maxAttempts: 2 });
    for (const attempt of [1, 2, 3, 4]) {
      expect(await claimOne()).toMatchObject({ attempt, maxAttempts: 2 });
      expect(await find(1)).toMatchObject({ state: 'running', attempts: Math.min(attempt, 2) });
      nowMs += LEASE_MS;
    }
  });

  test('a released job is due at once and its attempt does not count', async () => {
    await insert(1);
    const { lease } = await claimOne();
    await engine.tx('release', (tx) => releaseJob(tx, lease, nowMs));
    expect(await claimOne()).toMatchObject({ attempt: 1 });
  });

  test('a unique key rejects a second job until the first has started', async () => {
    expect(await insert(1, { uniqueKey: 'tidy' })).toBe(true);
    expect(await insert(2, { uniqueKey: 'tidy' })).toBe(false);
    expect(await insert(3, { uniqueKey: 'other' })).toBe(true);
    const first = await claimOne();
    expect(await insert(4, { uniqueKey: 'tidy' })).toBe(true);
    // The released job has lost its key, which the other one holds now.
    await engine.tx('fail', (tx) => failJob(tx, first.lease, { error: 'x', retryAtMs: nowMs }));
    expect(await insert(5, { uniqueKey: 'tidy' })).toBe(false);
    expect((await pageJobs(engine, 0n as JobId, 10)).map((job) => Number(job.id))).toEqual([1, 3, 4]);
  });

  test('concurrent inserts with one unique key store one job', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => insert(id, { uniqueKey: 'tidy' })));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  test('a job can be deleted in any state, and lists continue after an id', async () => {
    for (const id of [1, 2, 3]) await insert(id);
    const { lease } = await claimOne();
    const remove = () => engine.tx('delete', (tx) => deleteJob(tx, lease.jobId));
    expect(await remove()).toEqual({ kind: 'walk', payload: { step: Number(lease.jobId) } });
    expect(await remove()).toBeUndefined();
    expect(await engine.tx('complete', (tx) => completeJob(tx, lease))).toBe(false);
    expect((await pageJobs(engine, 2n as JobId, 10)).map((job) => job.id)).toEqual([3n]);
    expect(await pageJobs(engine, 0n as JobId, 1)).toHaveLength(1);
  });
}
