import { createSnowflakes, type IdSource } from '../../../src/core/snowflake.js';
import type { JobHandlers, DeadLetterHandler } from '../../../src/services/jobs/handler.js';
import type { Timers } from '../../../src/core/timers.js';
import { createJobWorker, JOB_LEASE_MS, type JobWorker } from '../../../src/services/jobs/worker.js';
import type { Engine } from '../../../src/database/engine.js';
import { createJobQueue, type JobQueue } from '../../../src/stores/job-queue.js';
import { claimJobs } from '../../../src/stores/jobs.js';
import { openTestEngine } from '../../support/test-database.js';

/** The kinds of jobs in tests. */
export interface TestPayloads {
  readonly note: { readonly text: string };
  readonly chunks: { readonly next: number };
  readonly unknown: { readonly x: number };
}

/** Timers that fire on request of the test. */
interface ManualTimers extends Timers {
  /** Fires every timer once. */
  fire(): void;
  readonly count: number;
}

function manualTimers(): ManualTimers {
  const works = new Set<() => void>();
  const add = (_ms: number, work: () => void): (() => void) => {
    // Two timers can share one function.
    const entry = () => work();
    works.add(entry);
    return () => void works.delete(entry);
  };
  return {
    every: add,
    after: add,
    fire: () => [...works].forEach((work) => work()),
    get count() {
      return works.size;
    },
  };
}

/** A database with a queue, and a clock that the test controls. */
export interface JobFixture extends AsyncDisposable {
  readonly engine: Engine;
  readonly ids: IdSource;
  readonly queue: JobQueue<TestPayloads>;
  readonly timers: ManualTimers;
  readonly warnings: string[];
  nowMs: number;
  worker(
    handlers: JobHandlers<TestPayloads>,
    concurrency?: number,
    onDeadLetter?: DeadLetterHandler,
  ): JobWorker;
  enqueue(...order: OrderOf): Promise<boolean>;
}

type OrderOf = [Parameters<JobQueue<TestPayloads>['enqueue']>[1]];

export async function openJobFixture(): Promise<JobFixture> {
  const clock = (): number => fixture.nowMs;
  const engine = await openTestEngine();
  const ids = createSnowflakes(() => Date.UTC(2026, 0, 1), 1);
  const queue = createJobQueue<TestPayloads>({ ids, clock });
  const timers = manualTimers();
  const warnings: string[] = [];
  const fixture: JobFixture = {
    engine,
    ids,
    queue,
    timers,
    warnings,
    nowMs: Date.UTC(2026, 0, 1),
    worker: (handlers, concurrency, onDeadLetter) =>
      createJobWorker<TestPayloads>({
        engine,
        ids,
        clock,
        log: { warn: (_fields, message) => void warnings.push(message) },
        handlers,
        onDeadLetter,
        queue,
        concurrency,
        timers,
        random: () => 0.5,
      }),
    enqueue: (order) => engine.tx('enqueue', (tx) => queue.enqueue(tx, order)),
    [Symbol.asyncDispose]: () => engine.close(),
  };
  return fixture;
}

/** Claims a job for each of its attempts, each time like a process that crashes at once. */
export async function crashAtEveryAttempt(
  engine: Engine,
  kind: string,
  clock: { now(): number; advance(durationMs: number): void },
): Promise<void> {
  for (let attempt = 1, attempts = 1; attempt <= attempts; attempt += 1) {
    const untilMs = clock.now() + JOB_LEASE_MS;
    const claim = { kinds: [kind], nowMs: clock.now(), untilMs, limit: 1, nextToken: () => BigInt(attempt) };
    const [job] = (await engine.tx('claim', (tx) => claimJobs(tx, claim))).jobs;
    if (job?.attempt !== attempt) throw new Error(`attempt ${attempt} of ${kind} is not due`);
    attempts = job.maxAttempts;
    clock.advance(JOB_LEASE_MS);
  }
}
