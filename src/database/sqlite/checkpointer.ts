import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLoop } from '../../core/loop.js';
import type { StorageLog } from '../storage-log.js';
import type { CheckpointThread } from './checkpoint-thread.js';
import type { WalState } from './connection.js';

/** 16 MiB of new pages: large enough to share a checkpoint's disk syncs, small enough to recover in no time. */
export const PASSIVE_PAGES = 4_096;

/** 64 MiB: from here on writers pause once, for what is left, so that the log starts over. */
export const RESTART_PAGES = 4 * PASSIVE_PAGES;

export interface CheckpointerParts {
  readonly thread: CheckpointThread;
  walState(): WalState;
  /** Runs `work` while no transaction of this process is open. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  readonly log: StorageLog;
}

/** Keeps the write-ahead log short. */
export interface Checkpointer {
  /** Says that the log may have grown. Costs nothing; looks at most once per turn of the event loop. */
  nudge(): void;
  /** Resolves when the checkpoint under way, if any, has ended; none is started afterwards. */
  close(): Promise<void>;
}

/**
 * SQLite's own automatic checkpoints would run within a commit, disk syncs included, on the event loop. Instead a thread
 * does PASSIVE ones, which block nobody. Those alone let the log grow for ever under constant load: it starts over only
 * when a writer finds every page moved, and there is always one more. So a long log gets a RESTART with this process's
 * writers held back: what the last PASSIVE left over is moved and the next writer begins at the start of the file. The
 * file keeps its length, as overwriting blocks syncs faster than allocating them.
 */
export function createCheckpointer(parts: CheckpointerParts): Checkpointer {
  // A long reader (a backup) keeps pages from being moved and the log from starting over: each is tried again only
  // after the log grew by as much again.
  let isNudged = true;
  let passiveAtPages = PASSIVE_PAGES;
  let restartAtPages = RESTART_PAGES;

  const restart = async (): Promise<void> => {
    const state = await parts.exclusive(() => parts.thread.checkpoint('RESTART'));
    restartAtPages = RESTART_PAGES + (state?.isBusy ? state.pages : 0);
  };

  const look = async (): Promise<void> => {
    await nextTurn();
    isNudged = false;
    if (loop.isStopped() || unmovedPages(parts.walState()) < passiveAtPages) return;
    const state = await parts.thread.checkpoint('PASSIVE');
    if (state === undefined) return;
    passiveAtPages = PASSIVE_PAGES + unmovedPages(state);
    if (state.pages >= restartAtPages && !loop.isStopped()) await restart();
  };

  const loop = createLoop({
    work: look,
    onError: (err) => parts.log.warn({ err }, 'a checkpoint failed'),
  });
  loop.start();

  return {
    nudge: () => {
      if (isNudged) return;
      isNudged = true;
      loop.wake();
    },
    close: loop.stop,
  };
}

function unmovedPages(state: WalState): number {
  return state.pages - state.checkpointedPages;
}
