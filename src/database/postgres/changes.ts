import { LOCAL_ONLY_TABLES } from '../cached-tables.js';
import { createChangeCounts } from '../change-counts.js';
import type { Effect } from '../effect.js';
import type { StorageLog } from '../storage-log.js';
import { createListener } from './listener.js';

/** Tracks changes of tables by all processes (Engine.changesIn). */
export interface Changes {
  /**
   * Returns the statement that notifies other processes, to be sent just before the commit; undefined if there is
   * nothing to announce.
   */
  notice(effects: Iterable<Effect>): string | undefined;
  /** Records the effects of a transaction of this process, immediately after its commit. */
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
 * Transactions that change or delete rows of `cachedTables` announce the table names with NOTIFY, which is delivered
 * if and when they commit. Commits with a NOTIFY are serialized, so all others, above all those of new posts, send
 * none. Anything else that changes such a table must send `NOTIFY pipit_changes, '*'`.
 */
export function createChanges({ url, log, cachedTables }: ChangesParts): Changes {
  const counts = createChangeCounts();
  const onMessage = (message: string): void => {
    for (const table of message.split(',')) counts.add(table === ANY_TABLE ? 'unknown' : { changes: table });
  };
  const onListening = (): void => counts.add('unknown');
  const listener = createListener({ url, log, channel: CHANNEL, onMessage, onListening });

  return {
    notice: (effects) => {
      const tables = new Set<string>();
      for (const effect of effects) {
        if (effect === 'unknown') tables.add(ANY_TABLE);
        else if (effect !== 'none' && cachedTables.includes(effect.changes)) tables.add(effect.changes);
      }
      return tables.size === 0 ? undefined : `NOTIFY ${CHANNEL}, '${[...tables].join(',')}'`;
    },
    committed: (effects) => {
      for (const effect of effects) counts.add(effect);
    },
    changesIn: (tables) => {
      // Nothing announces changes of these tables: never return the same number twice.
      if (tables.some((table) => LOCAL_ONLY_TABLES.includes(table))) return alwaysNew();
      const unknown = tables.find((table) => !cachedTables.includes(table));
      if (unknown !== undefined)
        throw new Error(`changes of ${unknown} are not announced: see cached-tables.ts`);
      return () => {
        // Missed notifications may concern any table: never return the same number twice.
        if (!listener.isListening()) counts.add('unknown');
        return counts.sum(tables);
      };
    },
    catchUp: listener.catchUp,
    close: listener.close,
  };
}

/** Returns a function that never returns the same number twice. */
function alwaysNew(): () => number {
  let uses = 0;
  return () => (uses += 1);
}
