import { setImmediate as nextTurn } from 'node:timers/promises';
import { StorageUnavailable } from '../errors.js';

/** Shares one disk sync among all transactions that wait for theirs. */
export interface GroupCommit {
  /** To be called right after a commit that the next sync must cover. */
  committed(): void;
  /** Resolves when all that was committed before the call is on disk; throws StorageUnavailable when it may not be. */
  durable(): Promise<void>;
  /** Set once a sync has failed: from then on nothing may be acknowledged. */
  readonly failure: StorageUnavailable | undefined;
}

/**
 * Group commit over the write-ahead log ("acknowledged means on disk", ARCHITECTURE.md).
 *
 * A commit with synchronous=NORMAL leaves its pages in the log file, but in the operating system's memory. `sync` is an
 * fdatasync of the log; one covers all commits made before it began. A commit made while one is under way waits for
 * the next. What a reader saw may not be on disk yet, but no transaction that saw it is acknowledged before it is:
 * a transaction that wrote nothing also waits for what is outstanding.
 *
 * Why a sync of the log alone is enough:
 * - Pages that a checkpoint moved on were synced, first the log, then the database file, before SQLite lets the log
 *   start over; a commit is always whole in one of the two on disk.
 * - A log that starts over gets a new header with new salts, which SQLite syncs before any page follows; old pages
 *   behind it do not count.
 * - The log is the same file as long as a connection is open: SQLite deletes it only with the last one. So a handle
 *   opened after the first connection stays right until that connection is closed, whoever checkpoints.
 * - fdatasync writes the file's length too when it changed. The file's name needs a sync of the directory, once,
 *   after the log was created (files.ts).
 * - Another process's commits are in the same file: a sync covers what a transaction here has read of them.
 *
 * After a failed sync the kernel may drop the pages and report success the next time (the "fsyncgate" of PostgreSQL),
 * so a retry proves nothing: every waiting transaction is refused, and every later one until the database is reopened.
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
    // Transactions that are ready now, among them those that the last sync let go on, still join.
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
 * For `relaxed` databases and those in memory. Their commits end with the turn of the event loop too: a loop of awaited
 * transactions would otherwise run without ever letting a request in.
 */
export function createRelaxedCommit(): GroupCommit {
  return createGroupCommit(() => Promise.resolve());
}
