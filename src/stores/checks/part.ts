import type { Queryable, Tx } from '../../database/engine.js';

/** The kinds of stored data that derive from other stored data, in the order in which they are checked and mended. */
export const CHECK_KINDS = [
  'strays',
  'edges',
  'lists',
  'counts',
  'timelines',
  'messages',
  'notifications',
  'words',
  'index',
  'files',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** What is stored and should be otherwise. */
export interface Difference {
  /** In words, such as `likes is 3, not 2`. */
  readonly what: string;
  /** True if nothing that is left tells how to mend it. */
  readonly isLost?: true;
  /** Ends the mending, after the transaction. */
  readonly afterwards?: () => Promise<void>;
}

/** What seems to differ. It was read while others write, so the difference may be none. */
export interface Suspect {
  /** Names it for people, such as `likes post_id=1 user_id=2`. */
  readonly name: string;
  /** Looks again. Returns the difference; undefined if there is none. `mends` also mends it. */
  settle(tx: Tx, mends: boolean): Promise<Difference | undefined>;
}

/** A chunk that was looked at. */
export interface Look {
  /** The number of rows or files. */
  readonly checked: number;
  readonly suspects: readonly Suspect[];
}

/** One check of one table, or of something else that is stored. */
export interface Part {
  readonly kind: CheckKind;
  /** What is checked: a table, or words for it. Several parts may have the same. */
  readonly of: string;
  /** Looks at everything, a chunk at a time. */
  look(db: Queryable): AsyncIterable<Look>;
}
