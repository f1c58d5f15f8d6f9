import { createChangeCounts } from '../change-counts.js';
import type { Effect } from '../effect.js';

/** Which tables' rows were changed how often: what caches ask (Engine.changesIn). */
export interface Changes {
  /** Told of what a transaction did, at once after its commit. */
  committed(effects: Iterable<Effect>): void;
  changesIn(tables: readonly string[]): () => number;
}

/**
 * `dataVersion` is SQLite's number for commits by others (sqlite.org/pragma.html#pragma_data_version); undefined where
 * there are no others. It is asked for once a turn of the event loop: whatever a request may rely on was acknowledged
 * to its sender before the turn that reads the request began.
 */
export function createChanges(dataVersion: (() => unknown) | undefined): Changes {
  const counts = createChangeCounts();
  let seenVersion: unknown;
  let isFresh = false;

  const hearOthers = (): void => {
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
      hearOthers();
      return counts.sum(tables);
    },
  };
}
