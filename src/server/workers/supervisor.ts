import { createWorkerPool, type WorkerPool, type WorkerPoolDeps } from './worker-pool.js';
import type { Listening, WorkerProcess } from './worker-process.js';

export interface SupervisorDeps extends WorkerPoolDeps {
  /** The number of workers that accept requests. */
  readonly workers: number;
}

/**
 * Starts the workers and keeps their number: the first alone, since it fills the database, then the others. If one
 * cannot start, stops the others and throws WorkerFailed.
 */
export async function startSupervisor(deps: SupervisorDeps) {
  const { workers, log } = deps;
  const pool = createWorkerPool(deps);
  const { url, port } = await startAll(pool, workers);
  /** The slot for the new worker of a restart, which starts beside the old one. */
  let spareSlot = workers;

  const exchange = async (old: WorkerProcess): Promise<boolean> => {
    const fresh = pool.launch(spareSlot, port);
    if (!(await pool.hasStarted(fresh))) return false;
    pool.serve(fresh, port);
    spareSlot = old.slot;
    await pool.retire(old);
    return true;
  };

  const restartAll = async (): Promise<void> => {
    for (const worker of [...pool.inService.values()]) {
      if (pool.isStopping()) return;
      // A worker that ended in the meantime has already been replaced.
      if (pool.inService.get(worker.slot) === worker && !(await exchange(worker))) return;
    }
    if (!pool.isStopping()) log.info({}, 'all workers were replaced');
  };

  let restarting = Promise.resolve();
  return {
    url,
    /**
     * Replaces the workers one after the other; each new one accepts requests before the old one retires. If a new
     * worker cannot start, the remaining old ones continue. A call during a restart runs another restart after it.
     */
    restart: () => (restarting = restarting.then(restartAll)),
    /** Stops all workers. Idempotent. */
    stop: () => pool.stop(),
  };
}

async function startAll(pool: WorkerPool, workers: number): Promise<Listening> {
  try {
    const first = pool.launch(0);
    const listening = await first.started;
    const others = Array.from({ length: workers - 1 }, (_, index) => pool.launch(index + 1, listening.port));
    await Promise.all(others.map((worker) => worker.started));
    for (const worker of [first, ...others]) pool.serve(worker, listening.port);
    return listening;
  } catch (error) {
    await pool.stop(true);
    throw error;
  }
}
