import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLoop } from '../../core/loop.js';
import type { StorageLog } from '../storage-log.js';
import type { CheckpointThread } from './checkpoint-thread.js';
import type { WalState } from './connection.js';

/** 32 MiB of new pages: a page that many commits have changed moves once, and recovery is still instant. */
export const PASSIVE_PAGES = 8_192;

/** 64 MiB: writers pause once for the remaining pages, so that the log starts over. */
export const RESTART_PAGES = 2 * PASSIVE_PAGES;

export interface CheckpointerParts {
  readonly thread: CheckpointThread;
  walState(): WalState;
  /** Runs `work` while this process has no open transaction. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  readonly log: StorageLog;
}

/**
 * Keeps the write-ahead log short. SQLite's automatic checkpoints run within a commit, with disk syncs on the event
 * loop. Instead a thread runs PASSIVE checkpoints, which block nothing. Under constant load those alone let the log
 * grow without bound: it starts over only when a writer finds every page moved, and there is always one more. So a
 * long log gets a RESTART while this process's writers wait: it moves the remaining pages, and the next writer starts
 * at the beginning of the file. The file keeps its length, since overwriting blocks syncs faster than allocating them.
 */
export function createCheckpointer(parts: CheckpointerParts) {
  let isNudged = true;
  // A long reader (a backup) blocks moving pages and restarting the log: each is retried only after the log grew by
  // the same amount again.
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
    /** Notifies that the log may have grown. Cheap; checks at most once per turn of the event loop. */
    nudge: (): void => {
      if (isNudged) return;
      isNudged = true;
      loop.wake();
    },
    /** Waits for a running checkpoint; none is started afterwards. */
    close: loop.stop,
  };
}

function unmovedPages(state: WalState): number {
  return state.pages - state.checkpointedPages;
}
