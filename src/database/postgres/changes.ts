import { LOCAL_ONLY_TABLES } from '../cached-tables.js';
import { createChangeCounts } from '../change-counts.js';
import type { Effect } from '../effect.js';
import type { StorageLog } from '../storage-log.js';
import { createListener } from './listener.js';

/** Which tables' rows were changed how often, by any process: what caches ask (Engine.changesIn). */
export interface Changes {
  /** The statement with which a transaction tells the others, to be sent just before its commit; undefined: nothing. */
  notice(effects: Iterable<Effect>): string | undefined;
  /** Told of what a transaction of this process did, at once after its commit. */
  committed(effects: Iterable<Effect>): void;
  changesIn(tables: readonly string[]): () => number;
  catchUp(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface ChangesParts {
  readonly url: string;
  readonly log: StorageLog;
  readonly cachedTables: readonly string[];
}

const CHANNEL = 'pipit_changes';
const ANY_TABLE = '*';

/**
 * Transactions that change or remove rows of `cachedTables` tell their names with NOTIFY, which is part of the
 * transaction: told when it commits, and only then. Commits that tell something wait for one another, so the others,
 * posting above all, do not. Whoever changes such a table by other means sends `NOTIFY pipit_changes, '*'`.
 */
export function createChanges({ url, log, cachedTables }: ChangesParts): Changes {
  const counts = createChangeCounts();
  const heard = (message: string): void => {
    for (const table of message.split(',')) counts.add(table === ANY_TABLE ? 'unknown' : { changes: table });
  };
  const began = (): void => counts.add('unknown');
  const listener = createListener({ url, log, channel: CHANNEL, heard, began });

  return {
    notice: (effects) => {
      const told = new Set<string>();
      for (const effect of effects) {
        if (effect === 'unknown') told.add(ANY_TABLE);
        else if (effect !== 'none' && cachedTables.includes(effect.changes)) told.add(effect.changes);
      }
      return told.size === 0 ? undefined : `NOTIFY ${CHANNEL}, '${[...told].join(',')}'`;
    },
    committed: (effects) => {
      for (const effect of effects) counts.add(effect);
    },
    changesIn: (tables) => {
      // No answer is the same as the last where nobody tells.
      if (tables.some((table) => LOCAL_ONLY_TABLES.includes(table))) return unlike();
      const silent = tables.find((table) => !cachedTables.includes(table));
      if (silent !== undefined) throw new Error(`nobody tells of changes in ${silent}: see cached-tables.ts`);
      return () => {
        // Unheard changes may be anywhere: no answer is the same as the last.
        if (!listener.isListening()) counts.add('unknown');
        return counts.sum(tables);
      };
    },
    catchUp: listener.catchUp,
    close: listener.close,
  };
}

/** Numbers of which none is the same as another. */
function unlike(): () => number {
  let uses = 0;
  return () => (uses += 1);
}
