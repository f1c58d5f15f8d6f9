import type { FeedEvent } from '../core/feed-event.js';
import { ChangeSet } from './effect.js';
import type { Row } from './queryable.js';
import type { StorageLog } from './storage-log.js';

/** What a writer knows of a running transaction; each engine runs its statements in its own way. */
export class OpenTransaction {
  readonly #name: string;
  readonly #effects: (() => void)[] = [];
  #hasEnded = false;
  /** What the executed statements changed. */
  readonly changes = new ChangeSet();
  readonly events: FeedEvent[] = [];
  /** The error of the first failed statement; if set, the transaction must not be committed. */
  failure: unknown;
  /** True once a statement ran that could change the database, even if it changed no row. */
  mayHaveWritten = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** A failed statement fails the transaction: later ones throw without being run. */
  requireOpen(): void {
    if (this.#hasEnded) throw new Error(`transaction ${this.#name} has ended`);
    if (this.failure !== undefined)
      throw new Error(`transaction ${this.#name} has failed`, { cause: this.failure });
  }

  /** Makes every later use of the transaction throw. */
  end(): void {
    this.#hasEnded = true;
  }

  readonly afterCommit = (effect: () => void): void => {
    this.requireOpen();
    this.#effects.push(effect);
  };

  readonly emit = (event: FeedEvent): void => {
    this.requireOpen();
    this.events.push(event);
  };

  readonly stored = (table: string, key: bigint, row: Row): void => {
    this.requireOpen();
    this.changes.push({ table, kind: 'insert', keys: [key], stored: row });
  };

  /** Runs the effects and logs their errors: the commit is final and must not look like a failed transaction. */
  runEffects(log: StorageLog): void {
    for (const effect of this.#effects) {
      try {
        effect();
      } catch (error) {
        log.warn({ tx: this.#name, err: error }, 'an effect after a commit failed');
      }
    }
  }
}
