import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StorageLog } from '../storage-log.js';
import type { WalState } from './connection.js';

export type CheckpointMode = 'PASSIVE' | 'RESTART';

export interface CheckpointResult extends WalState {
  /** True when a reader or another process's writer kept the checkpoint from doing all that its mode promises. */
  readonly isBusy: boolean;
}

/** Checkpoints off the event loop. */
export interface CheckpointThread {
  /** Resolves to how far the log is afterwards; undefined when the thread failed. One at a time. */
  checkpoint(mode: CheckpointMode): Promise<CheckpointResult | undefined>;
  close(): Promise<void>;
}

/** The heap of a thread that only forwards calls; the rest of its memory is SQLite's. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/** Starts the thread with the first checkpoint, again after it failed; it does not keep the process running. */
export function createCheckpointThread(file: string, log: StorageLog): CheckpointThread {
  let worker: Worker | undefined;

  const start = (): Worker => {
    const started = new Worker(new URL('./checkpoint-worker.js', import.meta.url), {
      workerData: { file },
      resourceLimits: HEAP_LIMITS,
    });
    started.unref();
    started.on('error', (err) => log.warn({ err }, 'the checkpoint thread failed'));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };

  return {
    checkpoint: (mode) => {
      worker ??= start();
      const answer = answerOf(worker);
      worker.postMessage(mode);
      return answer;
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

function answerOf(worker: Worker): Promise<CheckpointResult | undefined> {
  return new Promise((resolve) => {
    const settle = (result: CheckpointResult | undefined): void => {
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      resolve(result);
    };
    const onMessage = ([row]: [{ busy: number; log: number; checkpointed: number }]): void =>
      settle({ pages: row.log, checkpointedPages: row.checkpointed, isBusy: row.busy !== 0 });
    const onExit = (): void => settle(undefined);
    worker.on('message', onMessage);
    worker.on('exit', onExit);
  });
}
