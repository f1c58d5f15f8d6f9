import { createWorkerPool, type WorkerPool, type WorkerPoolDeps } from './worker-pool.js';
import type { Listening, WorkerProcess } from './worker-process.js';

export interface SupervisorDeps extends WorkerPoolDeps {
  /** How many workers accept requests. */
  readonly workers: number;
}

/** Keeps a number of workers running. */
export interface Supervisor {
  readonly url: string;
  /**
   * Replaces the workers one after the other, each new one accepting requests before the old one retires. When a new one
   * cannot start, those not yet replaced go on. Asked again meanwhile, it does so once more afterwards.
   */
  restart(): Promise<void>;
  /** Lets all workers end. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the workers: the first alone, as it fills the database, then the others. Throws WorkerFailed when one of them
 * cannot start, having ended the rest.
 */
export async function startSupervisor(deps: SupervisorDeps): Promise<Supervisor> {
  const { workers, log } = deps;
  const pool = createWorkerPool(deps);
  const { url, port } = await startAll(pool, workers);
  /** For the new worker of a restart, beside the old one. */
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
      // One that ended meanwhile has been replaced already.
      if (pool.inService.get(worker.slot) === worker && !(await exchange(worker))) return;
    }
    if (!pool.isStopping()) log.info({}, 'all workers were replaced');
  };

  let restarting = Promise.resolve();
  return {
    url,
    restart: () => (restarting = restarting.then(restartAll)),
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
