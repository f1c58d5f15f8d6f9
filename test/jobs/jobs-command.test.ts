import { expect, test } from 'vitest';
import { openBackend, type Backend } from '../../src/server/backend.js';
import type { AppId, JobId } from '../../src/core/ids.js';
import { createComplianceService } from '../../src/services/compliance/compliance-jobs.js';
import { claimJobs, failJob, insertJob, pageJobs } from '../../src/stores/jobs.js';
import { runCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';

const DUE_MS = Date.UTC(2026, 0, 1);
const dead = { id: '1', kind: 'note', state: 'dead', attempts: 1, max_attempts: 1, last_error: 'Error: no' };

/** Runs a test on a database with a dead, a running and a waiting job. */
async function withJobs(work: (pipit: (...args: string[]) => ReturnType<typeof runCli>) => Promise<void>) {
  await using database = await createSharedDatabase();
  const inFolder = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const backend = await openBackend(database.url, { dataFolder: database.file('data') });
  await backend.engine.tx('jobs', async (tx) => {
    const job = { payload: {}, createdAtMs: DUE_MS, runAtMs: DUE_MS, maxAttempts: 1 };
    await insertJob(tx, { ...job, id: 1n as JobId, kind: 'note' });
    await insertJob(tx, { ...job, id: 2n as JobId, kind: 'note' });
    await insertJob(tx, { ...job, id: 3n as JobId, kind: 'note', runAtMs: DUE_MS + 1 });
    const claim = { kinds: ['note'], nowMs: DUE_MS, untilMs: DUE_MS + 60_000, limit: 10 };
    const { jobs } = await claimJobs(tx, { ...claim, nextToken: () => 7n });
    if (jobs[0]) await failJob(tx, jobs[0].lease, { error: 'Error: no' });
  });
  await backend.close();
  await work((...args) => runCli(args, inFolder));
}

test('jobs lists state, kind, attempts, next run and last error', () =>
  withJobs(async (pipit) => {
    const { status, stdout } = await pipit('jobs', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { ...dead, created_at: '2026-01-01T00:00:00.000Z' },
      expect.objectContaining({ id: '2', state: 'running', lease_ends_at: '2026-01-01T00:01:00.000Z' }),
      expect.objectContaining({ id: '3', state: 'waiting', next_run_at: '2026-01-01T00:00:00.001Z' }),
    ]);
    expect((await pipit('jobs')).stdout.split('\n')[0]).toBe('1  note  dead  attempts 1/1  Error: no');
  }));

test('jobs retry makes a dead job run again, and refuses a running or unknown one', () =>
  withJobs(async (pipit) => {
    const retried = await pipit('jobs', 'retry', '1', '--json');
    expect(JSON.parse(retried.stdout)).toMatchObject({ id: '1', state: 'waiting', attempts: 0 });
    expect(await pipit('jobs', 'retry', '2')).toMatchObject({ status: 1, stderr: 'pipit: job 2 is running' });
    expect(await pipit('jobs', 'retry', '9')).toMatchObject({ stderr: 'pipit: there is no job 9' });
    expect((await pipit('jobs', 'retry', 'x')).stderr).toMatch(/"x" is not a job id/);
  }));

test('jobs delete of a compliance job marks it as failed', async () => {
  await using database = await createSharedDatabase();
  const { url, folder, dataFolder } = database;
  const compliance = (backend: Backend) =>
    createComplianceService({ ...backend, publicUrl: 'http://pipit.test' });
  const before = await openBackend(url, { dataFolder });
  const { uploads, create } = compliance(before);
  const { id } = await create(1n as AppId, { subject: 'posts', resumable: false });
  await uploads.finish((await uploads.start(id)).upload);
  const waiting = (await pageJobs(before.engine, 0n as JobId, 9)).find(
    (job) => job.kind === 'check-compliance',
  );
  await before.close();
  const outcome = await runCli(['jobs', 'delete', String(waiting?.id), '--yes'], {
    folder,
    env: { PIPIT_DATABASE: url },
  });
  expect(outcome.status).toBe(0);
  const after = await openBackend(url, { dataFolder });
  const found = await compliance(after).find(1n as AppId, id);
  await after.close();
  expect(found?.status).toBe('failed');
});

test('jobs delete removes a job', () =>
  withJobs(async (pipit) => {
    expect(await pipit('jobs', 'delete', '1', '--yes')).toMatchObject({ status: 0, stdout: 'deleted job 1' });
    expect(await pipit('jobs', 'delete', '1', '--yes')).toMatchObject({ status: 1 });
    expect(JSON.parse((await pipit('jobs', '--json')).stdout)).toHaveLength(2);
  }));
