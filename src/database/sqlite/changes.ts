import type { Change } from '../effect.js';
import { createWatchers, type TakeChange } from '../watchers.js';

/** Tracks changes of tables (Engine.changesIn). */
export interface Changes {
  /** Records the changes of a transaction, immediately after its commit. */
  committed(changes: Iterable<Change | 'unknown'>): void;
  changesIn(tables: readonly string[], take?: TakeChange): () => number;
}

/**
 * Creates the tracker. `dataVersion` is SQLite's counter of commits by other connections
 * (sqlite.org/pragma.html#pragma_data_version); undefined if there are none. It is read once per turn of the event
 * loop: whatever a request may rely on was acknowledged before the turn that reads the request.
 */
export function createChanges(dataVersion: (() => unknown) | undefined): Changes {
  const watchers = createWatchers();
  let seenVersion: unknown;
  let isFresh = false;

  const checkOthers = (): void => {
    if (isFresh || !dataVersion) return;
    const version = dataVersion();
    if (version !== seenVersion) {
      seenVersion = version;
      watchers.add('unknown');
    }
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
  };

  return {
    committed: (changes) => {
      for (const change of changes) watchers.add(change);
    },
    changesIn: (tables, take) => {
      const version = watchers.watch(tables, take);
      return () => {
        checkOthers();
        return version();
      };
    },
  };
}
