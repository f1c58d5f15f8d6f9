import type { StorageLog } from '../storage-log.js';
import type { WalState } from './connection.js';
import { createThread } from './thread.js';

export type CheckpointMode = 'PASSIVE' | 'RESTART';

export interface CheckpointResult extends WalState {
  /** True if a reader or another process's writer kept the checkpoint from completing. */
  readonly isBusy: boolean;
}

/** Runs checkpoints on another thread. */
export type CheckpointThread = ReturnType<typeof createCheckpointThread>;

/** The heap limits of a thread that only forwards calls; its other memory is SQLite's. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

type PragmaRows = readonly [{ readonly busy: number; readonly log: number; readonly checkpointed: number }];

export function createCheckpointThread(file: string, log: StorageLog) {
  const script = new URL('./checkpoint-worker.js', import.meta.url);
  const thread = createThread<CheckpointMode, PragmaRows>({ script, file, resourceLimits: HEAP_LIMITS, log });
  return {
    /** Runs a checkpoint. Returns the state of the log afterwards, or undefined if the thread failed. */
    checkpoint: async (mode: CheckpointMode): Promise<CheckpointResult | undefined> => {
      const [row] = (await thread.ask(mode)) ?? [];
      return row && { pages: row.log, checkpointedPages: row.checkpointed, isBusy: row.busy !== 0 };
    },
    close: thread.close,
  };
}
