import type { FeedEvent } from '../core/feed-event.js';
import { NamedError } from '../core/named-error.js';
import type { Tx } from './queryable.js';

/** What one commit did: the events of one transaction, or of several that were committed together. */
export interface FeedEntry {
  readonly position: bigint;
  /** When it was committed, by the clock of the process that did. */
  readonly atMs: number;
  /** In the order in which they happened. */
  readonly events: readonly FeedEvent[];
}

/** Entries in order. */
export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Where to read on. Not always the position of the last entry, since some commits have no events. */
  readonly position: bigint;
  /** Whether there may be more to read already. */
  readonly isFull: boolean;
}

/** The entries after the position are not known any more. */
export class FeedExpired extends NamedError {
  constructor(readonly after: bigint) {
    super(`the feed no longer holds position ${after}`);
  }
}

/** Who follows the feed, for its metrics. */
export type FeedReader = 'streams' | 'live' | 'webhooks' | 'other';

/** Receives entries. The next ones are read after its promise resolves. */
export type OnEntries = (entries: readonly FeedEntry[]) => Promise<void> | void;

/**
 * The feed of the system: what all processes committed, in one order, for at least the time of `--feed-retention`
 * (docs/design/feed.md). Positions come from the feed and grow with each commit: once one is handed out, no smaller
 * one appears.
 */
export interface Feed {
  /** Returns the position after the newest commit. */
  position(): Promise<bigint>;
  /** Returns the position that the feed had at a time, or the oldest one that it holds. Reads some 30 rows. */
  positionAt(timeMs: number): Promise<bigint>;
  /** Returns the entries of up to `limit` commits after a position. Throws FeedExpired if it is not held any more. */
  read(after: bigint, limit?: number): Promise<FeedPage>;
  /**
   * Passes all entries after a position on, old and new, each once and in order. A slow subscriber delays only itself:
   * it reads on where it is. Waits while the database is unavailable. Resolves after `signal` aborts or the engine
   * closes. Rejects with FeedExpired, and with the errors of `onEntries`.
   */
  subscribe(
    from: { readonly after: bigint; readonly signal: AbortSignal; readonly name?: FeedReader },
    onEntries: OnEntries,
  ): Promise<void>;
}

/**
 * Returns the transaction with events left out. For imports and world files, which store what happened earlier or
 * elsewhere: it is no news.
 */
export function withoutEvents(tx: Tx): Tx {
  return { ...tx, emit: () => undefined };
}
