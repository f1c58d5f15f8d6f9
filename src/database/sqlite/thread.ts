import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { StorageLog } from '../storage-log.js';

/** A worker thread that answers requests one at a time, in order. */
export interface Thread<Request, Reply> {
  /** Sends a request. Returns the reply, or undefined if the thread ended without one. */
  ask(request: Request): Promise<Reply | undefined>;
  /** Sends `close` and waits until the thread has ended. */
  close(): Promise<void>;
}

/**
 * Creates a thread that starts with the first request and restarts after a failure. It does not keep the process
 * running. The script must open `file` itself and end after the message `close`.
 */
export function createThread<Request, Reply>(options: {
  readonly script: URL;
  readonly file: string;
  readonly resourceLimits: ResourceLimits;
  readonly log: StorageLog;
}): Thread<Request, Reply> {
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
    ask: (request) => {
      worker ??= start();
      const reply = new Promise<Reply | undefined>((resolve) => waiting.push(resolve));
      worker.postMessage(request);
      return reply;
    },
    close: async () => {
      const ending = worker;
      if (!ending) return;
      ending.ref();
      const exit = once(ending, 'exit');
      ending.postMessage('close');
      await exit;
    },
  };
}
