import type { StoredRows } from './stored-rows.js';

/** A database on a server as it was at one moment, while others go on writing. */
export interface DatabaseSnapshot {
  readonly rows: StoredRows;
  readonly engineVersion: string;
  /** Writes everything in it to a new file. Throws ProgramFailed, and the reason of `signal` once that is aborted. */
  dump(file: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A database on a server into which a dump is restored. */
export interface DumpTarget {
  /** Whether it has no tables. */
  readonly isEmpty: boolean;
  /** The number of connections of other Pipit processes. */
  countUsers(): Promise<number>;
  /**
   * Puts what a dump holds in the place of all tables, which are kept in another schema. If that fails, everything is
   * as before. Returns the name of that schema; undefined if there were no tables. Throws ProgramFailed.
   */
  restore(file: string, signal: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A new database, for a moment. */
export interface ScratchDatabase {
  readonly url: string;
  /** Deletes it. One whose process was killed is deleted when the next one is created. */
  drop(): Promise<void>;
}
