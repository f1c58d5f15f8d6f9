import Database from 'better-sqlite3';

/**
 * `shared`: any number of processes. `leading`: beside shared ones, but one at a time. `alone`: beside nobody.
 */
export type LockKind = 'shared' | 'leading' | 'alone';

/** SQLite's locks of those kinds: SHARED, RESERVED and EXCLUSIVE (sqlite.org/lockingv3.html). */
const BEGIN: Readonly<Record<LockKind, string>> = {
  shared: 'BEGIN; SELECT 1 FROM sqlite_schema',
  leading: 'BEGIN IMMEDIATE',
  alone: 'BEGIN EXCLUSIVE',
};

/** Others ask for a lock for a moment only, in which it looks taken. */
const PATIENCE_MS = 1_000;

export interface FileLock {
  release(): void;
}

/**
 * Locks a file of its own, made empty when missing, which stays empty. The operating system ends the lock with the process,
 * however that ends. Returns undefined when other processes' locks exclude this one; throws system and SQLite errors.
 */
export function lockFile(file: string, kind: LockKind): FileLock | undefined {
  const db = new Database(file, { timeout: kind === 'shared' ? PATIENCE_MS : 0 });
  try {
    // A journal on disk would appear beside the file.
    db.exec(`PRAGMA journal_mode = MEMORY; ${BEGIN[kind]}`);
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
