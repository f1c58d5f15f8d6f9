import { expect, test, vi } from 'vitest';
import type { JobId } from '../../src/core/ids.js';
import { LeaseLost, type JobRun } from '../../src/services/jobs/handler.js';
import { JOB_LEASE_MS } from '../../src/services/jobs/worker.js';
import { deleteJob, pageJobs } from '../../src/stores/jobs.js';
import { deferred } from '../database/deferred.js';
import { openBench, type JobBench } from './support/worker.js';

const stored = ({ engine }: JobBench) => pageJobs(engine, 0n as JobId, 100);
const note = (text: string) => ({ kind: 'note' as const, payload: { text } });

test('a committed order wakes a started worker of the same process; a finished job is deleted', async () => {
  await using bench = await openBench();
  const done = deferred<string>();
  const worker = bench.worker({ note: async ({ payload }) => done.resolve(payload.text) });
  worker.start();
  await bench.enqueue(note('hello'));
  expect(await done.promise).toBe('hello');
  await worker.stop();
  expect(await stored(bench)).toEqual([]);
  expect(bench.warnings).toEqual([]);
});

test('an order whose transaction fails leaves no job and wakes nobody', async () => {
  await using bench = await openBench();
  let woken = 0;
  bench.queue.onEnqueued(() => (woken += 1));
  const failing = bench.engine.tx('fail', async (tx) => {
    await bench.queue.enqueue(tx, note('never'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(woken).toBe(0);
  expect(await stored(bench)).toEqual([]);
});

test('what became due is found by the poll', async () => {
  await using bench = await openBench();
  const done = deferred<string>();
  const worker = bench.worker({ note: async ({ payload }) => done.resolve(payload.text) });
  await bench.enqueue({ ...note('later'), runAtMs: bench.nowMs + 5_000 });
  await worker.runDue();
  expect(await stored(bench)).toHaveLength(1);
  worker.start();
  bench.nowMs += 5_000;
  bench.timers.fire();
  expect(await done.promise).toBe('later');
  await worker.stop();
});

test('no more jobs run at once than the worker may', async () => {
  await using bench = await openBench();
  let running = 0;
  let most = 0;
  const handle = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  const worker = bench.worker({ note: handle }, 3);
  for (let n = 0; n < 10; n += 1) await bench.enqueue(note(`${n}`));
  await worker.runDue();
  expect(most).toBe(3);
  expect(await stored(bench)).toEqual([]);
});

test('a failing job waits longer each time, keeps its error, and is dead after the last attempt', async () => {
  await using bench = await openBench();
  const worker = bench.worker({ note: () => Promise.reject(new Error('no such pond')) });
  await bench.enqueue({ ...note('x'), maxAttempts: 3 });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await worker.runDue();
    const [job] = await stored(bench);
    expect(job).toMatchObject({ state: 'waiting', attempts: attempt, lastError: 'Error: no such pond' });
    waits.push((job?.freeAtMs ?? 0) - bench.nowMs);
    bench.nowMs = job?.freeAtMs ?? 0;
  }
  // Half of the jitter, as the bench's `random` has it.
  expect(waits).toEqual([750, 1_500]);
  await worker.runDue();
  expect(await stored(bench)).toMatchObject([{ state: 'dead', attempts: 3 }]);
  expect(bench.warnings.at(-1)).toBe('a job is dead');
});

test('a job of a kind without handler is left alone', async () => {
  await using bench = await openBench();
  const worker = bench.worker({ note: async () => undefined });
  await bench.enqueue({ kind: 'unknown', payload: { x: 1 } });
  await worker.runDue();
  expect(await stored(bench)).toMatchObject([{ kind: 'unknown', state: 'waiting', attempts: 0 }]);
});

test('a job goes on with new payloads until it completes, each chunk once', async () => {
  await using bench = await openBench();
  const seen: number[] = [];
  const worker = bench.worker({
    chunks: async (run) => {
      seen.push(run.payload.next);
      await bench.engine.tx('chunk', (tx) =>
        run.payload.next === 4 ? run.completeIn(tx) : run.continueWith(tx, { next: run.payload.next + 1 }),
      );
    },
  });
  await bench.enqueue({ kind: 'chunks', payload: { next: 1 } });
  await worker.runDue();
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(await stored(bench)).toEqual([]);
});

test('a handler whose last transaction fails has not completed', async () => {
  await using bench = await openBench();
  const worker = bench.worker({
    note: (run) =>
      bench.engine.tx('done', async (tx) => {
        await run.completeIn(tx);
        throw new Error('after all');
      }),
  });
  await bench.enqueue(note('x'));
  await worker.runDue();
  expect(await stored(bench)).toMatchObject([{ state: 'waiting', lastError: 'Error: after all' }]);
});

test('the lease is renewed while a handler runs, and moves the deadline', async () => {
  await using bench = await openBench();
  const goOn = deferred();
  const begun = deferred<JobRun<unknown>>();
  const handlers = {
    note: async (run: JobRun<{ text: string }>) => {
      begun.resolve(run);
      await goOn.promise;
    },
  };
  const worker = bench.worker(handlers);
  worker.start();
  await bench.enqueue(note('long'));
  const run = await begun.promise;
  const firstDeadlineMs = run.deadlineMs;
  bench.nowMs += JOB_LEASE_MS - 1;
  bench.timers.fire();
  await vi.waitFor(() => expect(run.deadlineMs).toBe(firstDeadlineMs + JOB_LEASE_MS - 1));
  bench.nowMs += 2;
  const other = bench.worker({ note: () => Promise.reject(new Error('taken')) });
  await other.runDue();
  goOn.resolve();
  await worker.stop();
  expect(await stored(bench)).toEqual([]);
});

test('a worker that lost a job to another is told, and its effects with the completion are undone', async () => {
  await using bench = await openBench();
  const goOn = deferred();
  const begun = deferred();
  const lost = deferred<unknown>();
  const slow = bench.worker({
    note: async (run) => {
      begun.resolve();
      await goOn.promise;
      await bench.engine
        .tx('late', async (tx) => {
          await bench.queue.enqueue(tx, { kind: 'unknown', payload: { x: 1 } });
          await run.completeIn(tx);
        })
        .catch(lost.resolve);
      await run.heartbeat();
    },
  });
  await bench.enqueue(note('x'));
  const slowRun = slow.runDue();
  await begun.promise;
  bench.nowMs += JOB_LEASE_MS;
  let done = 0;
  await bench.worker({ note: async () => void (done += 1) }).runDue();
  goOn.resolve();
  expect(await lost.promise).toBeInstanceOf(LeaseLost);
  await slowRun;
  expect(done).toBe(1);
  expect(await stored(bench)).toEqual([]);
});

test('a lost lease aborts the signal of the handler at the next renewal', async () => {
  await using bench = await openBench();
  const begun = deferred<JobRun<unknown>>();
  const worker = bench.worker({
    note: (run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        begun.resolve(run);
      }),
  });
  worker.start();
  await bench.enqueue(note('x'));
  const { jobId, signal } = await begun.promise;
  await bench.engine.tx('delete', (tx) => deleteJob(tx, jobId));
  bench.timers.fire();
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toBeInstanceOf(LeaseLost);
  await worker.stop();
});

test('stop asks handlers to end and gives their jobs back as if they had not been taken', async () => {
  await using bench = await openBench();
  const begun = deferred();
  const worker = bench.worker({
    note: (run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        begun.resolve();
      }),
  });
  worker.start();
  await bench.enqueue(note('x'));
  await begun.promise;
  await worker.stop();
  await worker.stop();
  expect(await stored(bench)).toMatchObject([{ state: 'waiting', attempts: 0, freeAtMs: bench.nowMs }]);
  expect(bench.timers.count).toBe(0);
  await bench.enqueue(note('y'));
  expect(await stored(bench)).toHaveLength(2);
});

test('stop waits for a handler that does not listen only so long, and then takes its job from it', async () => {
  await using bench = await openBench();
  const goOn = deferred();
  const begun = deferred();
  const worker = bench.worker({
    note: async (run) => {
      begun.resolve();
      await goOn.promise;
      await bench.engine.tx('late', (tx) => run.completeIn(tx));
    },
  });
  worker.start();
  await bench.enqueue(note('x'));
  await begun.promise;
  const stopped = worker.stop(10);
  while (bench.timers.count === 0) await new Promise(setImmediate);
  bench.timers.fire();
  await stopped;
  expect(await stored(bench)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  goOn.resolve();
  await bench.engine.tx('after', async () => undefined);
  expect(await stored(bench)).toHaveLength(1);
});
