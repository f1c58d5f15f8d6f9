import { setImmediate as nextTurn } from 'node:timers/promises';
import { StorageUnavailable } from '../errors.js';

/** Shares one disk sync among all waiting transactions. */
export interface GroupCommit {
  /** Call immediately after a commit that the next sync must cover. */
  committed(): void;
  /**
   * Resolves when everything committed before the call is on disk. Throws StorageUnavailable if that is uncertain.
   */
  durable(): Promise<void>;
  /** Set after a failed sync: from then on nothing may be acknowledged. */
  readonly failure: StorageUnavailable | undefined;
}

/**
 * Creates a group commit over the write-ahead log (docs/design/storage.md#sqlite).
 *
 * With synchronous=NORMAL a commit leaves its pages in the log file, but only in the operating system's memory.
 * `sync` is an fdatasync of the log; it covers all commits made before it started. A commit during a sync waits for
 * the next one. A reader may see data that is not on disk yet, but no transaction that read it is acknowledged before
 * it is: a transaction that wrote nothing also waits for pending syncs.
 *
 * Why a sync of the log alone is enough:
 * - Before SQLite restarts the log it syncs the pages moved by a checkpoint, first the log, then the database
 *   file. A commit is always complete on disk in one of the two.
 * - A restarted log gets a new header with new salts, which SQLite syncs before any page; older pages after
 *   it are ignored.
 * - The log stays the same file while a connection is open: SQLite deletes it with the last connection. So a
 *   handle opened after the first connection stays valid until that connection is closed.
 * - fdatasync also writes a changed file length. The file's name needs one sync of the directory after the
 *   log is created (files.ts).
 * - Commits of other processes are in the same file: a sync covers those that a transaction here has read.
 *
 * After a failed sync the kernel may drop the pages and report success the next time (PostgreSQL's "fsyncgate"), so a
 * retry proves nothing: every waiting transaction is refused, and every later one until the database is reopened.
 */
export function createGroupCommit(sync: () => Promise<void>): GroupCommit {
  let hasUnsynced = false;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let failure: StorageUnavailable | undefined;

  const syncOnce = async (): Promise<void> => {
    try {
      await sync();
    } catch (cause) {
      failure = new StorageUnavailable('a disk sync failed: the database must be reopened', { cause });
      throw failure;
    }
  };

  const schedule = async (before: Promise<void> | undefined): Promise<void> => {
    await before;
    // Transactions that are ready now, such as those released by the last sync, still join.
    await nextTurn();
    current = next;
    next = undefined;
    hasUnsynced = false;
    await syncOnce();
    current = undefined;
  };

  return {
    committed: () => {
      hasUnsynced = true;
    },
    durable: async () => {
      if (failure) throw failure;
      if (hasUnsynced) next ??= schedule(current);
      await (hasUnsynced ? next : current);
    },
    get failure() {
      return failure;
    },
  };
}

/**
 * Creates the group commit of `relaxed` and in-memory databases. Their commits also yield to the event loop: a loop
 * of awaited transactions would otherwise starve requests.
 */
export function createRelaxedCommit(): GroupCommit {
  return createGroupCommit(() => Promise.resolve());
}
