import { createChangeCounts } from '../change-counts.js';
import type { Effect } from '../effect.js';

/** Tracks changes of tables (Engine.changesIn). */
export interface Changes {
  /** Records the effects of a transaction, immediately after its commit. */
  committed(effects: Iterable<Effect>): void;
  changesIn(tables: readonly string[]): () => number;
}

/**
 * Creates the tracker. `dataVersion` is SQLite's counter of commits by other connections
 * (sqlite.org/pragma.html#pragma_data_version); undefined if there are none. It is read once per turn of the event
 * loop: whatever a request may rely on was acknowledged before the turn that reads the request.
 */
export function createChanges(dataVersion: (() => unknown) | undefined): Changes {
  const counts = createChangeCounts();
  let seenVersion: unknown;
  let isFresh = false;

  const checkOthers = (): void => {
    if (isFresh || !dataVersion) return;
    const version = dataVersion();
    if (version !== seenVersion) {
      seenVersion = version;
      counts.add('unknown');
    }
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
  };

  return {
    committed: (effects) => {
      for (const effect of effects) counts.add(effect);
    },
    changesIn: (tables) => () => {
      checkOthers();
      return counts.sum(tables);
    },
  };
}
