import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { StorageLog } from '../storage-log.js';

/**
 * Creates a worker thread that answers requests one at a time, in order. It starts with the first request, restarts
 * after a failure, and does not keep the process running. The script must open `file` itself and end after the message
 * `close`.
 */
export function createThread<Request, Reply>(options: {
  readonly script: URL;
  readonly file: string;
  readonly resourceLimits: ResourceLimits;
  readonly log: StorageLog;
}) {
  let worker: Worker | undefined;
  let waiting: ((reply: Reply | undefined) => void)[] = [];

  const start = (): Worker => {
    const { script, file, resourceLimits, log } = options;
    const started = new Worker(script, { workerData: { file }, resourceLimits });
    started.unref();
    started.on('message', (reply: Reply) => waiting.shift()?.(reply));
    started.on('error', (err) => log.warn({ err, script: script.pathname }, 'a worker thread failed'));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const left = waiting;
      waiting = [];
      for (const settle of left) settle(undefined);
    });
    return started;
  };

  return {
    /** Sends a request. Returns the reply, or undefined if the thread ended without one. */
    ask: (request: Request): Promise<Reply | undefined> => {
      worker ??= start();
      const reply = new Promise<Reply | undefined>((resolve) => waiting.push(resolve));
      worker.postMessage(request);
      return reply;
    },
    /** Sends `close` and waits until the thread has ended. */
    close: async (): Promise<void> => {
      const ending = worker;
      if (!ending) return;
      ending.ref();
      const exit = once(ending, 'exit');
      ending.postMessage('close');
      await exit;
    },
  };
}
