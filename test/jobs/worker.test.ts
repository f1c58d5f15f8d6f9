import { expect, test, vi } from 'vitest';
import type { JobId } from '../../src/core/ids.js';
import { LeaseLost, type JobRun } from '../../src/services/jobs/handler.js';
import { JOB_LEASE_MS } from '../../src/services/jobs/worker.js';
import { deleteJob, pageJobs } from '../../src/stores/jobs.js';
import { deferred } from '../../src/core/deferred.js';
import { openJobFixture, type JobFixture } from './support/worker.js';

const stored = ({ engine }: JobFixture) => pageJobs(engine, 0n as JobId, 100);
const note = (text: string) => ({ kind: 'note' as const, payload: { text } });

test('a committed job wakes a worker of the same process, and a completed job is deleted', async () => {
  await using fixture = await openJobFixture();
  const done = deferred<string>();
  const worker = fixture.worker({ note: async ({ payload }) => done.resolve(payload.text) });
  worker.start();
  await fixture.enqueue(note('hello'));
  expect(await done.promise).toBe('hello');
  await worker.stop();
  expect(await stored(fixture)).toEqual([]);
  expect(fixture.warnings).toEqual([]);
});

test('a job whose transaction fails is not stored and wakes no worker', async () => {
  await using fixture = await openJobFixture();
  let woken = 0;
  fixture.queue.onEnqueued(() => (woken += 1));
  const failing = fixture.engine.tx('fail', async (tx) => {
    await fixture.queue.enqueue(tx, note('never'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(woken).toBe(0);
  expect(await stored(fixture)).toEqual([]);
});

test('due jobs are found by polling', async () => {
  await using fixture = await openJobFixture();
  const done = deferred<string>();
  const worker = fixture.worker({ note: async ({ payload }) => done.resolve(payload.text) });
  await fixture.enqueue({ ...note('later'), runAtMs: fixture.nowMs + 5_000 });
  await worker.runDue();
  expect(await stored(fixture)).toHaveLength(1);
  worker.start();
  fixture.nowMs += 5_000;
  fixture.timers.fire();
  expect(await done.promise).toBe('later');
  await worker.stop();
});

test('a worker runs at maximum its number of concurrent jobs', async () => {
  await using fixture = await openJobFixture();
  let running = 0;
  let maximum = 0;
  const handle = async () => {
    running += 1;
    maximum = Math.max(maximum, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  const worker = fixture.worker({ note: handle }, 3);
  for (let n = 0; n < 10; n += 1) await fixture.enqueue(note(`${n}`));
  await worker.runDue();
  expect(maximum).toBe(3);
  expect(await stored(fixture)).toEqual([]);
});

test('a failing job is retried with increasing delay, keeps its error, and is dead after the last attempt', async () => {
  await using fixture = await openJobFixture();
  const worker = fixture.worker({ note: () => Promise.reject(new Error('no such pond')) });
  await fixture.enqueue({ ...note('x'), maxAttempts: 3 });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await worker.runDue();
    const [job] = await stored(fixture);
    expect(job).toMatchObject({ state: 'waiting', attempts: attempt, lastError: 'Error: no such pond' });
    waits.push((job?.freeAtMs ?? 0) - fixture.nowMs);
    fixture.nowMs = job?.freeAtMs ?? 0;
  }
  // Half of the jitter, according to the fixture’s `random`.
  expect(waits).toEqual([750, 1_500]);
  await worker.runDue();
  expect(await stored(fixture)).toMatchObject([{ state: 'dead', attempts: 3 }]);
  expect(fixture.warnings.at(-1)).toBe('a job is dead');
});

test('a job of a kind without a handler is not claimed', async () => {
  await using fixture = await openJobFixture();
  const worker = fixture.worker({ note: async () => undefined });
  await fixture.enqueue({ kind: 'unknown', payload: { x: 1 } });
  await worker.runDue();
  expect(await stored(fixture)).toMatchObject([{ kind: 'unknown', state: 'waiting', attempts: 0 }]);
});

test('a job continues with new payloads until it completes, with each chunk run once', async () => {
  await using fixture = await openJobFixture();
  const seen: number[] = [];
  const worker = fixture.worker({
    chunks: async (run) => {
      seen.push(run.payload.next);
      await fixture.engine.tx('chunk', (tx) =>
        run.payload.next === 4 ? run.completeIn(tx) : run.continueWith(tx, { next: run.payload.next + 1 }),
      );
    },
  });
  await fixture.enqueue({ kind: 'chunks', payload: { next: 1 } });
  await worker.runDue();
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(await stored(fixture)).toEqual([]);
});

test('a handler whose last transaction fails has not completed', async () => {
  await using fixture = await openJobFixture();
  const worker = fixture.worker({
    note: (run) =>
      fixture.engine.tx('done', async (tx) => {
        await run.completeIn(tx);
        throw new Error('after all');
      }),
  });
  await fixture.enqueue(note('x'));
  await worker.runDue();
  expect(await stored(fixture)).toMatchObject([{ state: 'waiting', lastError: 'Error: after all' }]);
});

test('the lease is renewed while a handler runs, which extends the deadline', async () => {
  await using fixture = await openJobFixture();
  const proceed = deferred();
  const started = deferred<JobRun<unknown>>();
  const handlers = {
    note: async (run: JobRun<{ text: string }>) => {
      started.resolve(run);
      await proceed.promise;
    },
  };
  const worker = fixture.worker(handlers);
  worker.start();
  await fixture.enqueue(note('long'));
  const run = await started.promise;
  const firstDeadlineMs = run.deadlineMs;
  fixture.nowMs += JOB_LEASE_MS - 1;
  fixture.timers.fire();
  await vi.waitFor(() => expect(run.deadlineMs).toBe(firstDeadlineMs + JOB_LEASE_MS - 1));
  fixture.nowMs += 2;
  const other = fixture.worker({ note: () => Promise.reject(new Error('taken')) });
  await other.runDue();
  proceed.resolve();
  await worker.stop();
  expect(await stored(fixture)).toEqual([]);
});

test('a worker that lost its lease gets an error, and its effects are rolled back with the completion', async () => {
  await using fixture = await openJobFixture();
  const proceed = deferred();
  const started = deferred();
  const lost = deferred<unknown>();
  const slow = fixture.worker({
    note: async (run) => {
      started.resolve();
      await proceed.promise;
      await fixture.engine
        .tx('late', async (tx) => {
          await fixture.queue.enqueue(tx, { kind: 'unknown', payload: { x: 1 } });
          await run.completeIn(tx);
        })
        .catch(lost.resolve);
      await run.heartbeat();
    },
  });
  await fixture.enqueue(note('x'));
  const slowRun = slow.runDue();
  await started.promise;
  fixture.nowMs += JOB_LEASE_MS;
  let done = 0;
  await fixture.worker({ note: async () => void (done += 1) }).runDue();
  proceed.resolve();
  expect(await lost.promise).toBeInstanceOf(LeaseLost);
  await slowRun;
  expect(done).toBe(1);
  expect(await stored(fixture)).toEqual([]);
});

test('a lost lease aborts the signal of the handler at the next renewal', async () => {
  await using fixture = await openJobFixture();
  const started = deferred<JobRun<unknown>>();
  const worker = fixture.worker({
    note: (run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        started.resolve(run);
      }),
  });
  worker.start();
  await fixture.enqueue(note('x'));
  const { jobId, signal } = await started.promise;
  await fixture.engine.tx('delete', (tx) => deleteJob(tx, jobId));
  fixture.timers.fire();
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toBeInstanceOf(LeaseLost);
  await worker.stop();
});

test('stop aborts handlers and releases their jobs without counting the attempt', async () => {
  await using fixture = await openJobFixture();
  const started = deferred();
  const worker = fixture.worker({
    note: (run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        started.resolve();
      }),
  });
  worker.start();
  await fixture.enqueue(note('x'));
  await started.promise;
  await worker.stop();
  await worker.stop();
  expect(await stored(fixture)).toMatchObject([{ state: 'waiting', attempts: 0, freeAtMs: fixture.nowMs }]);
  expect(fixture.timers.count).toBe(0);
  await fixture.enqueue(note('y'));
  expect(await stored(fixture)).toHaveLength(2);
});

test('stop waits a limited time for a handler that ignores the signal, then releases its job', async () => {
  await using fixture = await openJobFixture();
  const proceed = deferred();
  const started = deferred();
  const worker = fixture.worker({
    note: async (run) => {
      started.resolve();
      await proceed.promise;
      await fixture.engine.tx('late', (tx) => run.completeIn(tx));
    },
  });
  worker.start();
  await fixture.enqueue(note('x'));
  await started.promise;
  const stopped = worker.stop(10);
  while (fixture.timers.count === 0) await new Promise(setImmediate);
  fixture.timers.fire();
  await stopped;
  expect(await stored(fixture)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  proceed.resolve();
  await fixture.engine.tx('after', async () => undefined);
  expect(await stored(fixture)).toHaveLength(1);
});
