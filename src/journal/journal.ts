import { systemTimers, type Timers } from '../core/timers.js';
import type { JournalEntry, NewEntry } from './entry.js';
import { entryMatcher, type JournalFilter } from './filter.js';

export interface JournalOptions {
  /** Older entries are dropped beyond this number. */
  readonly maxEntries?: number;
  /** Older entries are dropped beyond this estimated size, in bytes. */
  readonly maxBytes?: number;
  readonly timers?: Timers;
}

/** What happens to a journal. */
export interface JournalListener {
  /** An entry was added, or an open one has ended (same id). */
  onEntry(entry: JournalEntry): void;
  onClear?(): void;
}

/** The result of waiting for entries. */
export interface Awaited {
  /** False if the time ran out first. */
  readonly isComplete: boolean;
  /** The matching entries, oldest first. */
  readonly entries: readonly JournalEntry[];
}

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 1024 ** 2;

/** The newest requests and their answers, in memory (docs/journal.md). */
export class Journal {
  readonly #entries = new Map<number, JournalEntry>();
  readonly #listeners = new Set<JournalListener>();
  readonly #waits = new Set<() => void>();
  readonly #options: Required<JournalOptions>;
  #bytes = 0;
  #lastId = 0;

  constructor(options: JournalOptions = {}) {
    this.#options = { maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, timers: systemTimers, ...options };
  }

  /** Adds an entry and drops the oldest ones beyond the bounds. Returns its id. */
  add(entry: NewEntry): number {
    const id = this.#lastId + 1;
    this.place(id, entry);
    return id;
  }

  /** Adds an entry with an id, or replaces the one that has it. Ids need not be in order. */
  place(id: number, entry: NewEntry): void {
    if (this.#entries.has(id)) return this.update(id, entry);
    this.#lastId = Math.max(this.#lastId, id);
    this.#put({ ...entry, id });
    this.#dropOldest();
  }

  /** The greatest id so far; 0 if there was none. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Replaces an entry whose answer was open. Does nothing if it has been dropped. */
  update(id: number, entry: NewEntry): void {
    const before = this.#entries.get(id);
    if (before === undefined) return;
    this.#bytes -= sizeOf(before);
    this.#put({ ...entry, id });
  }

  /** Returns the entry with an id, if it is kept. */
  get(id: number): JournalEntry | undefined {
    return this.#entries.get(id);
  }

  /** Returns the matching entries, newest first, up to `limit`. */
  find(filter: JournalFilter = {}, limit = Infinity): JournalEntry[] {
    return this.#matching(filter).toReversed().slice(0, limit);
  }

  /** Returns the number of matching entries. */
  count(filter: JournalFilter = {}): number {
    return this.#matching(filter).length;
  }

  /** Resolves when `count` entries match, earlier ones included, or after `timeoutMs`. */
  waitFor(filter: JournalFilter, count: number, timeoutMs: number): Promise<Awaited> {
    return new Promise((resolve) => {
      const finish = (isComplete: boolean): void => {
        stopTimer();
        unsubscribe();
        this.#waits.delete(end);
        resolve({ isComplete, entries: this.#matching(filter) });
      };
      const end = (): void => finish(false);
      this.#waits.add(end);
      const matches = entryMatcher(filter);
      // Counting takes time in proportion to the journal. An event raises the count by one at most.
      let missing = 1;
      const check = (): void => {
        missing -= 1;
        if (missing <= 0) missing = count - this.count(filter);
        if (missing <= 0) finish(true);
      };
      const unsubscribe = this.subscribe({ onEntry: (entry) => matches(entry) && check() });
      const stopTimer = this.#options.timers.after(timeoutMs, end);
      check();
    });
  }

  /** Ends all waiting, as if its time were over. */
  endWaits(): void {
    for (const end of this.#waits) end();
  }

  /** Removes all entries. Ids continue. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    for (const { onClear } of this.#listeners) onClear?.();
  }

  /** Calls a listener from now on, until the returned function is called. */
  subscribe(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #matching(filter: JournalFilter): JournalEntry[] {
    return [...this.#entries.values()].filter(entryMatcher(filter));
  }

  #put(entry: JournalEntry): void {
    this.#entries.set(entry.id, entry);
    this.#bytes += sizeOf(entry);
    for (const listener of this.#listeners) listener.onEntry(entry);
  }

  #dropOldest(): void {
    const { maxEntries, maxBytes } = this.#options;
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return;
      this.#entries.delete(id);
      this.#bytes -= sizeOf(entry);
    }
  }
}

/** The size of an entry without its bodies and headers. */
const FIXED_BYTES = 1_000;

/** Estimates the memory of an entry, in bytes. */
function sizeOf({ request, answer }: JournalEntry): number {
  const parts = [request.body, answer.body].map(({ text = '', base64 = '' }) => text.length + base64.length);
  const headers = [...request.headers, ...answer.headers].map(([name, value]) => name.length + value.length);
  return [...parts, ...headers].reduce((sum, size) => sum + size, FIXED_BYTES + request.query.length);
}
