import cluster from 'node:cluster';
import { SLOT_VARIABLE, type Order, type Report, type WorkerSlot } from './messages.js';

/** A worker's channel to the primary process. */
export type WorkerLink = NonNullable<ReturnType<typeof openWorkerLink>>;

/**
 * Opens the channel of this process if it is a worker. If the primary process dies, node:cluster ends the worker at
 * once, as with `kill -9`.
 */
export function openWorkerLink(env: Readonly<Record<string, string | undefined>>) {
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
    /** Each resolves when the primary process sends the order. */
    orders: { stop: ordered('stop'), retire: ordered('retire') },
    /** Resolves when the report is delivered to the channel. */
    report: (report: Report) =>
      new Promise<void>((resolve, reject) => {
        worker.send(report, (error: Error | null) => (error ? reject(error) : resolve()));
      }),
    /** Closes the channel; the process then ends when it has no other work. */
    close: () => void worker.disconnect(),
  };
}
