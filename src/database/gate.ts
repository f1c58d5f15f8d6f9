import { AsyncLocalStorage } from 'node:async_hooks';
import { StorageUnavailable } from './errors.js';

/** Who may use the engine: nobody once it is closed, nor the body of a transaction. */
export interface Gate {
  /** Throws StorageUnavailable after `close`; an Error inside a body that has not ended. */
  enter(): void;
  /** Runs a transaction body. */
  runBody<T>(body: () => Promise<T>): Promise<T>;
  /** Lets nobody in any more and shuts down, once. */
  close(shutDown: () => Promise<void>): Promise<void>;
}

/**
 * With `detectsNesting`, `enter` finds code inside a body that uses the engine instead of `tx`, and so would wait for
 * itself or read old data. That needs an AsyncLocalStorage, which on Node 20 slows every promise of the process by some
 * 0.1 µs.
 */
export function createGate(detectsNesting: boolean): Gate {
  const bodies = detectsNesting ? new AsyncLocalStorage<{ isRunning: boolean }>() : undefined;
  let closing: Promise<void> | undefined;
  return {
    enter: () => {
      if (closing) throw new StorageUnavailable('the database is closed');
      if (bodies?.getStore()?.isRunning) throw new Error('inside a transaction use its tx, not the engine');
    },
    runBody: async (body) => {
      if (!bodies) return body();
      const state = { isRunning: true };
      try {
        return await bodies.run(state, body);
      } finally {
        // What the body started without awaiting it may use the engine afterwards.
        state.isRunning = false;
      }
    },
    // Node goes through every storage that was not disabled at each promise, whoever made it.
    close: (shutDown) => (closing ??= shutDown().finally(() => bodies?.disable())),
  };
}
