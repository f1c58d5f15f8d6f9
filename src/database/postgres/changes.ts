import { LOCAL_ONLY_TABLES } from '../cached-tables.js';
import type { Change } from '../effect.js';
import type { StorageLog } from '../storage-log.js';
import { createWatchers, type TakeChange } from '../watchers.js';
import { createListener } from './listener.js';

/** Tracks changes of tables by all processes (Engine.changesIn). */
export interface Changes {
  /**
   * Returns the statement that notifies other processes, to be sent just before the commit; undefined if there is
   * nothing to announce.
   */
  notice(changes: Iterable<Change | 'unknown'>): string | undefined;
  /** Records the changes of a transaction of this process, immediately after its commit. */
  committed(changes: Iterable<Change | 'unknown'>): void;
  changesIn(tables: readonly string[], take?: TakeChange): () => number;
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
 * Transactions that change or delete rows of `cachedTables` announce tables and keys with NOTIFY, which is delivered
 * if and when they commit. Commits with a NOTIFY are serialized, so all others, above all those of new posts, send
 * none. Anything else that changes such a table must send `NOTIFY pipit_changes, '*'`.
 */
export function createChanges({ url, log, cachedTables }: ChangesParts): Changes {
  // Missed notifications may concern any table: never return the same number twice.
  const watchers = createWatchers(() => (listener.isListening() ? [] : ['unknown']));
  const onMessage = (message: string): void => {
    for (const change of readNotice(message)) watchers.add(change);
  };
  const onListening = (): void => watchers.add('unknown');
  const listener = createListener({ url, log, channel: CHANNEL, onMessage, onListening });

  return {
    notice: (changes) => {
      const notice = noticeOf(changes, cachedTables);
      return notice === '' ? undefined : `NOTIFY ${CHANNEL}, '${notice}'`;
    },
    committed: (changes) => {
      for (const change of changes) watchers.add(change);
    },
    changesIn: (tables, take) => {
      // Nothing announces changes of these tables: never return the same number twice.
      if (tables.some((table) => LOCAL_ONLY_TABLES.includes(table))) return alwaysNew();
      const unknown = tables.find((table) => !cachedTables.includes(table));
      if (unknown !== undefined)
        throw new Error(`changes of ${unknown} are not announced: see cached-tables.ts`);
      return watchers.watch(tables, take);
    },
    catchUp: listener.catchUp,
    close: listener.close,
  };
}

/** A notice with more keys names the tables alone: PostgreSQL limits its length to 8,000 bytes. */
const MAX_NOTICE = 4_000;

/** Lists tables, each with the key of a changed row if it is known: `posts:12,users:7,follows`. */
function noticeOf(changes: Iterable<Change | 'unknown'>, cachedTables: readonly string[]): string {
  const tables = new Set<string>();
  const rows = new Set<string>();
  for (const change of changes) {
    if (change === 'unknown') return ANY_TABLE;
    const { table, keys } = change;
    if (!cachedTables.includes(table)) continue;
    tables.add(table);
    if (keys) for (const key of keys) rows.add(`${table}:${key}`);
    else rows.add(table);
  }
  const notice = [...rows].join(',');
  return notice.length > MAX_NOTICE ? [...tables].join(',') : notice;
}

function readNotice(notice: string): (Change | 'unknown')[] {
  return notice.split(',').map((entry) => {
    if (entry === ANY_TABLE) return 'unknown';
    const [table = '', key] = entry.split(':');
    return { table, kind: 'update', keys: key === undefined ? undefined : [BigInt(key)] };
  });
}

/** Returns a function that never returns the same number twice. */
function alwaysNew(): () => number {
  let uses = 0;
  return () => (uses += 1);
}
