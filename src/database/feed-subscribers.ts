import type { Clock } from '../core/clock.js';
import { deferred, type Deferred } from '../core/deferred.js';
import { systemTimers } from '../core/timers.js';
import { StorageUnavailable } from './errors.js';
import { FeedLags } from './feed-lags.js';
import type { Feed, FeedPage, OnEntries } from './feed.js';
import { findPositionAt, newestPosition, readFeed } from './feed-table.js';
import type { Queryable } from './queryable.js';

/** How many commits are read at once: what a slow subscriber keeps in memory. */
const PAGE = 500;

/** The pause after a read failed. */
const RETRY_MS = 100;

export interface FeedParts {
  readonly db: Queryable;
  /**
   * Calls `ring` soon after each commit of other processes that has events, and maybe more often, until the returned
   * function is called. Runs only while there are subscribers.
   */
  readonly listen: (ring: () => void) => () => void;
  readonly clock: Clock;
}

/**
 * The feed over its table. Subscribers wait for a ring and read on after it. Those at the same position share one read.
 */
export class SubscribedFeed implements Feed {
  readonly #parts: FeedParts;
  /** How far the subscribers are behind. */
  readonly lags: FeedLags;
  #subscribers = 0;
  #isClosed = false;
  #stopListening: (() => void) | undefined;
  #waiting: Deferred<void> | undefined;
  #shared: { readonly after: bigint; readonly page: Promise<FeedPage> } | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.lags = new FeedLags(parts.clock);
  }

  readonly position = (): Promise<bigint> => newestPosition(this.#parts.db);

  readonly positionAt = (timeMs: number): Promise<bigint> => findPositionAt(this.#parts.db, timeMs);

  readonly read = (after: bigint, limit = PAGE): Promise<FeedPage> => readFeed(this.#parts.db, after, limit);

  readonly subscribe: Feed['subscribe'] = async ({ after, signal, name = 'other' }, onEntries) => {
    const measured = this.lags.follow(name, onEntries);
    this.#begin();
    signal.addEventListener('abort', this.ring);
    try {
      await this.#follow(after, signal, measured.onEntries);
    } finally {
      signal.removeEventListener('abort', this.ring);
      this.#end();
      measured.end();
    }
  };

  /** Wakes subscribers: something was committed. */
  readonly ring = (): void => {
    this.#shared = undefined;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  };

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true;
    this.ring();
  }

  #begin(): void {
    this.#subscribers += 1;
    this.#stopListening ??= this.#parts.listen(this.ring);
  }

  #end(): void {
    this.#subscribers -= 1;
    if (this.#subscribers > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async #follow(after: bigint, signal: AbortSignal, onEntries: OnEntries): Promise<void> {
    let position = after;
    const hasEnded = (): boolean => signal.aborted || this.#isClosed;
    while (!hasEnded()) {
      // Taken before the read, so that no commit after it goes unnoticed.
      const { promise: rung } = (this.#waiting ??= deferred());
      const page = await this.#readOn(position);
      if (hasEnded()) return;
      if (page.entries.length > 0) await onEntries(page.entries);
      position = page.position;
      if (!page.isFull) await rung;
    }
  }

  /** While the database is unavailable there is nothing to read; a later ring repeats the read. */
  async #readOn(after: bigint): Promise<FeedPage> {
    if (this.#shared?.after !== after) this.#shared = { after, page: this.read(after) };
    try {
      return await this.#shared.page;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      systemTimers.after(RETRY_MS, this.ring);
      return { entries: [], position: after, isFull: false };
    }
  }
}
