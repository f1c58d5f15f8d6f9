import Database from 'better-sqlite3';

/**
 * `shared`: any number of processes. `leader`: one process at a time, beside shared ones. `exclusive`: no other
 * process.
 */
export type LockKind = 'shared' | 'leader' | 'exclusive';

/** SQLite's locks for these kinds: SHARED, RESERVED and EXCLUSIVE (sqlite.org/lockingv3.html). */
const BEGIN: Readonly<Record<LockKind, string>> = {
  shared: 'BEGIN; SELECT 1 FROM sqlite_schema',
  leader: 'BEGIN IMMEDIATE',
  exclusive: 'BEGIN EXCLUSIVE',
};

/** Other processes try locks only for a moment, during which the file looks locked. */
const TIMEOUT_MS = 1_000;

export interface FileLock {
  release(): void;
}

/**
 * Locks a dedicated file, which is created if missing and stays empty. The operating system releases the lock when
 * the process ends, however it ends. Returns undefined if another process holds a conflicting lock; throws system and
 * SQLite errors.
 */
export function lockFile(file: string, kind: LockKind): FileLock | undefined {
  const db = new Database(file, { timeout: kind === 'shared' ? TIMEOUT_MS : 0 });
  try {
    // In memory, so that no journal file appears beside the file.
    db.exec(`PRAGMA journal_mode = MEMORY; ${BEGIN[kind]}`);
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
