import cluster from 'node:cluster';
import { SLOT_VARIABLE, WorkerFailed, type Order, type Report, type WorkerSlot } from './messages.js';

/** A worker as the primary process sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  readonly slot: number;
  /** Resolves when it accepts requests. Rejects with WorkerFailed if it cannot, or ends before. */
  readonly started: Promise<Listening>;
  /** Resolves when the process has ended, to its status or signal: `status 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Does nothing after the process has ended. */
  order(order: Order): void;
  kill(): void;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
}

/**
 * Starts this command line in another process. Workers accept connections from one shared listening socket. The
 * alternative of node:cluster, in which the primary process distributes connections, leaves a client hanging if its
 * connection was on the way to a worker that is killed, and costs a message between processes per connection.
 */
export function startWorkerProcess(workerSlot: WorkerSlot): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork({ [SLOT_VARIABLE]: JSON.stringify(workerSlot) });
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (status: number | null, signal: string | null) =>
      resolve(signal ?? `status ${status}`),
    );
    worker.on('error', (error) => {
      // A process that could not be created has no exit event.
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
  // Prevents an unhandled rejection if nobody waits for the start.
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
