import cluster from 'node:cluster';
import { SLOT_VARIABLE, WorkerFailed, type Order, type Report, type WorkerSlot } from './messages.js';

/** A worker as the primary process sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  readonly slot: number;
  /** Resolves when it accepts requests. Rejects with WorkerFailed when it cannot, or ends before. */
  readonly started: Promise<Listening>;
  /** Resolves when the process is gone, to how it went: `status 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Does nothing when it is gone. */
  order(order: Order): void;
  kill(): void;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
}

/**
 * Starts this same command line in another process. Workers take connections from one listening socket themselves, as
 * the kernel gives them: node's other way, in which the primary process hands them out, leaves a client hanging whose
 * connection was on its way to a worker that is killed, and costs each new connection a message between processes.
 */
export function startWorkerProcess(workerSlot: WorkerSlot): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork({ [SLOT_VARIABLE]: JSON.stringify(workerSlot) });
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (status: number | null, signal: string | null) =>
      resolve(signal ?? `status ${status}`),
    );
    worker.on('error', (error) => {
      // A process that never came to be has no exit.
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
  const started = new Promise<Listening>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if (report.kind === 'ready') resolve(report);
      if (report.kind === 'failed') reject(new WorkerFailed(report.lines));
    });
    void ended.then((how) => reject(new WorkerFailed([`a worker ended before it was ready: ${how}`])));
  });
  // Whoever does not wait for the start must not fail with it.
  started.catch(() => undefined);
  return {
    pid: worker.process.pid,
    slot: workerSlot.slot,
    started,
    ended,
    order: (order) => {
      if (worker.isConnected()) worker.send(order, () => undefined);
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}
