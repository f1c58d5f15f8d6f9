import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '../private-file.js';
import type { StorageLog } from '../storage-log.js';

/** Long enough for most dumps. */
const TRIES = 600;
const PAUSE_MS = 1_000;

/** The error code of a statement that waited too long for a lock. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a migration until no step waits too long for a table that others use. Between the tries the others go on.
 * Throws the last error after about twenty minutes, and other errors at once.
 */
export async function retryWhileLocked(log: StorageLog, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof Error && hasCode(error.cause, LOCK_NOT_AVAILABLE);
      if (!isLocked || tries === TRIES) throw error;
      if (tries === 1) log.warn({}, 'the migration waits for a long transaction, such as a dump, to end');
    }
    await pause(PAUSE_MS);
  }
}
