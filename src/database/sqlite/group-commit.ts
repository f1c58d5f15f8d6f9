import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineCounts } from '../engine-counts.js';
import { StorageUnavailable } from '../errors.js';
import type { Lock } from './lock.js';

/** A group is not larger, since requests wait while it runs. */
const MAX_MEMBERS = 100;

export interface GroupParts<Member> {
  readonly lock: Lock;
  readonly busyLimitMs: number;
  /** Commits a group. Resolves to false if it wrote nothing. */
  commit(members: readonly Member[]): Promise<boolean>;
  /** Makes all commits durable. */
  sync(): Promise<void>;
  readonly counts: EngineCounts;
}

/**
 * Commits transactions in groups that share one commit and one disk sync (docs/design/storage.md#sqlite). The function
 * that it returns adds a transaction, and resolves when everything committed up to its group is on disk. It throws
 * StorageUnavailable if that is uncertain, and the error of `commit` if the group failed.
 *
 * A group consists of the transactions that arrive while the group before it commits and syncs, and those of the turn
 * of the event loop in which it starts.
 *
 * With synchronous=NORMAL a commit leaves its pages in the log file, but only in the operating system's memory.
 * `sync` is an fdatasync of the log; it covers all commits made before it started. A reader may see data that is not on
 * disk yet, but no transaction that read it is acknowledged before it is: groups do not overlap.
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
export function createGroupCommit<Member>(parts: GroupParts<Member>) {
  let open: { readonly members: Member[]; readonly done: Promise<void> } | undefined;
  let failure: StorageUnavailable | undefined;

  const sync = async (): Promise<void> => {
    try {
      await parts.counts.sync(parts.sync);
    } catch (cause) {
      failure = new StorageUnavailable('a disk sync failed: the database must be reopened', { cause });
      throw failure;
    }
  };

  const openGroup = () => {
    const members: Member[] = [];
    const close = (): void => {
      if (open?.members === members) open = undefined;
    };
    const run = async (): Promise<void> => {
      // Requests that arrived together join. Without a turn, a loop of awaited transactions would starve the others.
      await nextTurn();
      close();
      if (failure) throw failure;
      if (!(await parts.commit(members))) return;
      parts.counts.addSynced(members.length);
      await sync();
    };
    return { members, done: parts.lock.run(parts.busyLimitMs, run).finally(close) };
  };

  return async (member: Member): Promise<void> => {
    if (failure) throw failure;
    if (open === undefined || open.members.length >= MAX_MEMBERS) open = openGroup();
    open.members.push(member);
    await open.done;
  };
}
