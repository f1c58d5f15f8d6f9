import cluster from 'node:cluster';
import { SLOT_VARIABLE, type Order, type Report, type WorkerSlot } from './messages.js';

/** A worker's line to the primary process. */
export interface WorkerLink {
  readonly workerSlot: WorkerSlot;
  readonly pid: number | undefined;
  /** Resolve when the primary process wants that. */
  readonly orders: Readonly<Record<Order, Promise<void>>>;
  /** Resolves when the primary process has it. */
  report(report: Report): Promise<void>;
  /** Ends the line, and so the process when nothing else runs. */
  close(): void;
}

/**
 * The line of this process, if it is a worker. When the primary process is gone, the worker ends at once, as `kill -9`
 * would end it: node:cluster sees to that.
 */
export function openWorkerLink(env: Readonly<Record<string, string | undefined>>): WorkerLink | undefined {
  const { worker } = cluster;
  const text = env[SLOT_VARIABLE];
  if (!worker || text === undefined) return undefined;
  const workerSlot = JSON.parse(text) as WorkerSlot;
  const ordered = (order: Order): Promise<void> =>
    new Promise((resolve) => {
      worker.on('message', (message: Order) => {
        if (message === order) resolve();
      });
    });
  return {
    workerSlot,
    pid: worker.process.pid,
    orders: { stop: ordered('stop'), retire: ordered('retire') },
    report: (report) =>
      new Promise((resolve, reject) => {
        worker.send(report, (error: Error | null) => (error ? reject(error) : resolve()));
      }),
    close: () => void worker.disconnect(),
  };
}
