import cluster, { type Worker } from 'node:cluster';
import type { MetricsPeers, ProcessReport } from '../../operations/metrics.js';
import { sendMessage } from './messages.js';

/**
 * The exchange of reports between workers: one asks the primary process (`request`), which asks all workers
 * (`collect`), collects their replies (`collected`) and returns them (`result`).
 */
type Message =
  | { readonly kind: 'metrics-join' }
  | { readonly kind: 'metrics-request'; readonly id: number }
  | { readonly kind: 'metrics-collect'; readonly id: number }
  | { readonly kind: 'metrics-collected'; readonly id: number; readonly report: ProcessReport }
  | { readonly kind: 'metrics-result'; readonly id: number; readonly reports: readonly ProcessReport[] };

/** Workers that take longer to reply are left out. */
const COLLECT_LIMIT_MS = 1_500;
const REQUEST_LIMIT_MS = 3_000;

/** Relays metrics between workers; runs in the primary process. */
export function relayMetrics(): void {
  const sharing = new Set<Worker>();
  const collecting = new Map<number, (report: ProcessReport) => void>();
  let lastId = 0;

  const collectFrom = (worker: Worker): Promise<readonly ProcessReport[]> =>
    new Promise((resolve) => {
      const id = (lastId += 1);
      const end = (reports: readonly ProcessReport[]): void => {
        clearTimeout(limit);
        collecting.delete(id);
        resolve(reports);
      };
      const limit = setTimeout(() => end([]), COLLECT_LIMIT_MS);
      collecting.set(id, (report) => end([report]));
      void sendMessage<Message>(worker, { kind: 'metrics-collect', id });
    });

  cluster.on('exit', (worker) => sharing.delete(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message.kind === 'metrics-join') sharing.add(worker);
    if (message.kind === 'metrics-collected') collecting.get(message.id)?.(message.report);
    if (message.kind !== 'metrics-request') return;
    void Promise.all([...sharing].map(collectFrom)).then((reports) =>
      sendMessage<Message>(worker, { kind: 'metrics-result', id: message.id, reports: reports.flat() }),
    );
  });
}

/** Connects a worker to the relay; `worker` labels its metrics. */
export function joinMetrics(worker: string): MetricsPeers {
  const asked = new Map<number, (reports: readonly ProcessReport[]) => void>();
  let lastId = 0;
  const toPrimary = (message: Message): void => {
    if (cluster.worker) void sendMessage<Message>(cluster.worker, message);
  };
  return {
    worker,
    share: (collect) => {
      cluster.worker?.on('message', (message: Message) => {
        if (message.kind === 'metrics-collect')
          toPrimary({ kind: 'metrics-collected', id: message.id, report: collect() });
        if (message.kind === 'metrics-result') asked.get(message.id)?.(message.reports);
      });
      toPrimary({ kind: 'metrics-join' });
    },
    gather: () =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        const limit = setTimeout(() => {
          asked.delete(id);
          reject(new Error('the primary process does not answer'));
        }, REQUEST_LIMIT_MS);
        asked.set(id, (reports) => {
          clearTimeout(limit);
          asked.delete(id);
          resolve(reports);
        });
        toPrimary({ kind: 'metrics-request', id });
      }),
  };
}
