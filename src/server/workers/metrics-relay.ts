import cluster, { type Worker } from 'node:cluster';
import type { Metrics } from '../../core/metrics.js';
import { sendMessage } from './messages.js';

/**
 * How workers learn each other's metrics: one asks the primary process (`ask`), which asks all (`tell`), collects what
 * they tell (`told`) and answers (`all`).
 */
type Message =
  | { readonly kind: 'metrics-shared' }
  | { readonly kind: 'metrics-ask'; readonly id: number }
  | { readonly kind: 'metrics-tell'; readonly id: number }
  | { readonly kind: 'metrics-told'; readonly id: number; readonly metrics: Metrics }
  | { readonly kind: 'metrics-all'; readonly id: number; readonly reports: readonly Metrics[] };

/** A worker that is busy for longer is left out. */
const TELL_LIMIT_MS = 1_500;
const ASK_LIMIT_MS = 3_000;

/** In the primary process: passes metrics between workers, until they end. */
export function relayMetrics(): void {
  const sharing = new Set<Worker>();
  const collecting = new Map<number, (metrics: Metrics) => void>();
  let lastId = 0;

  const askOne = (worker: Worker): Promise<readonly Metrics[]> =>
    new Promise((resolve) => {
      const id = (lastId += 1);
      const end = (reports: readonly Metrics[]): void => {
        clearTimeout(limit);
        collecting.delete(id);
        resolve(reports);
      };
      const limit = setTimeout(() => end([]), TELL_LIMIT_MS);
      collecting.set(id, (metrics) => end([metrics]));
      send(worker, { kind: 'metrics-tell', id });
    });

  cluster.on('exit', (worker) => sharing.delete(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message.kind === 'metrics-shared') sharing.add(worker);
    if (message.kind === 'metrics-told') collecting.get(message.id)?.(message.metrics);
    if (message.kind !== 'metrics-ask') return;
    void Promise.all([...sharing].map(askOne)).then((reports) =>
      send(worker, { kind: 'metrics-all', id: message.id, reports: reports.flat() }),
    );
  });
}

function send(worker: Worker, message: Message): void {
  void sendMessage(worker, message);
}

/** In a worker: what it shares and asks for; `worker` labels its metrics. */
export function joinMetrics(worker: string): {
  readonly worker: string;
  share(collect: () => Metrics): void;
  gather(): Promise<readonly Metrics[]>;
} {
  const asked = new Map<number, (reports: readonly Metrics[]) => void>();
  let lastId = 0;
  const tell = (message: Message): void => {
    if (cluster.worker) send(cluster.worker, message);
  };
  return {
    worker,
    share: (collect) => {
      cluster.worker?.on('message', (message: Message) => {
        if (message.kind === 'metrics-tell')
          tell({ kind: 'metrics-told', id: message.id, metrics: collect() });
        if (message.kind === 'metrics-all') asked.get(message.id)?.(message.reports);
      });
      tell({ kind: 'metrics-shared' });
    },
    gather: () =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        const limit = setTimeout(() => {
          asked.delete(id);
          reject(new Error('the primary process does not answer'));
        }, ASK_LIMIT_MS);
        asked.set(id, (reports) => {
          clearTimeout(limit);
          asked.delete(id);
          resolve(reports);
        });
        tell({ kind: 'metrics-ask', id });
      }),
  };
}
