import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Order, WorkerGroup, WorkerSlot } from './messages.js';
import type { WorkerProcess } from './worker-process.js';

/** The time for a worker's connections, requests and jobs to end before it is killed. */
const END_LIMIT_MS: Readonly<Record<Order, number>> = { stop: 40_000, retire: 160_000 };

export interface WorkerPoolDeps {
  readonly group: WorkerGroup;
  readonly log: PoolLog;
  readonly startWorker: (workerSlot: WorkerSlot) => WorkerProcess;
}

interface PoolLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** All running workers, each in a slot. Those in service are replaced when they end. */
export type WorkerPool = ReturnType<typeof createWorkerPool>;

export function createWorkerPool({ group, log, startWorker }: WorkerPoolDeps) {
  const living = new Set<WorkerProcess>();
  const inService = new Map<number, WorkerProcess>();
  const earlyEnds = new Map<number, number>();
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;

  /** Starts a worker in a free slot. */
  const launch = (slot: number, port?: number): WorkerProcess => {
    const worker = startWorker({ ...group, slot, ...(port !== undefined && { port }) });
    living.add(worker);
    void worker.ended.then(() => living.delete(worker));
    return worker;
  };

  /** Returns false, after logging the error, if the worker could not start; it has ended then. */
  const hasStarted = (worker: WorkerProcess): Promise<boolean> => startedOrEnded(worker, log, isStopping);

  /** Puts a started worker, which listens on `port`, into service. */
  const serve = (worker: WorkerProcess, port: number): void => {
    const startedMs = performance.now();
    inService.set(worker.slot, worker);
    void worker.ended.then((how) => {
      if (isStopping() || inService.get(worker.slot) !== worker) return;
      inService.delete(worker.slot);
      log.warn({ worker: worker.pid, how }, 'a worker ended');
      if (performance.now() - startedMs >= STEADY_MS) earlyEnds.delete(worker.slot);
      void replace(worker.slot, port);
    });
  };

  const replace = async (slot: number, port: number): Promise<void> => {
    while (!isStopping()) {
      const ends = earlyEnds.get(slot) ?? 0;
      earlyEnds.set(slot, ends + 1);
      await pause(replacementDelayMs(ends), undefined, stopping).catch(() => undefined);
      if (isStopping()) return;
      const worker = launch(slot, port);
      if (await hasStarted(worker)) return serve(worker, port);
    }
  };

  return {
    inService: inService as ReadonlyMap<number, WorkerProcess>,
    isStopping,
    launch,
    hasStarted,
    serve,
    /** Takes a worker out of service; resolves when it has ended. */
    retire: async (worker: WorkerProcess) => {
      inService.delete(worker.slot);
      await end(worker, 'retire');
    },
    /** Stops all workers, at once if `isUrgent`, and starts no more. */
    stop: async (isUrgent = false) => {
      stopping.abort();
      for (const worker of isUrgent ? living : []) worker.kill();
      await Promise.all([...living].map((worker) => end(worker, 'stop')));
    },
  };
}

async function startedOrEnded(
  worker: WorkerProcess,
  log: PoolLog,
  isStopping: () => boolean,
): Promise<boolean> {
  try {
    await worker.started;
    log.info({ worker: worker.pid }, 'a worker accepts requests');
    return true;
  } catch (err) {
    if (!isStopping()) log.error({ worker: worker.pid, err }, 'a worker could not start');
    await end(worker, 'stop');
    return false;
  }
}

/** Asks a worker to end, waits for it, and kills it after a time limit. */
async function end(worker: WorkerProcess, order: Order): Promise<void> {
  const limit = setTimeout(() => worker.kill(), END_LIMIT_MS[order]);
  // A process that is still starting loses messages.
  await worker.started.catch(() => undefined);
  worker.order(order);
  await worker.ended;
  clearTimeout(limit);
}

/** A worker that ran this long did not fail at startup. */
const STEADY_MS = 10_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;

/**
 * Returns the delay before a worker is replaced after `earlyEnds` consecutive workers ended soon after their start:
 * none for the first, then 0.2 s, doubling up to 30 s.
 */
export function replacementDelayMs(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlyEnds - 1));
}
