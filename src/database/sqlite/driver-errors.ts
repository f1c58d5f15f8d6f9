import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { AlreadyExists, StorageUnavailable, WrongDatabase } from '../errors.js';

/** Another connection holds a needed lock: a retry may succeed. */
export class Busy extends StorageUnavailable {}

/** Result codes (sqlite.org/rescode.html) of a database that cannot serve now; extended codes start with these. */
const UNAVAILABLE = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_NOMEM',
  'SQLITE_PROTOCOL',
  'SQLITE_PERM',
  'SQLITE_AUTH',
];

const NOT_UNIQUE = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
]);

/** Translates a driver's error to one of database/errors.ts or a plain Error. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  const options = { cause: error };
  if (NOT_UNIQUE.has(code)) return new AlreadyExists(message, options);
  if (isCode(code, 'SQLITE_BUSY') || isCode(code, 'SQLITE_LOCKED')) return new Busy(message, options);
  if (UNAVAILABLE.some((known) => isCode(code, known))) return new StorageUnavailable(message, options);
  if (code === 'SQLITE_NOTADB') return new WrongDatabase('the file is not a SQLite database', options);
  return new Error(`${code}: ${message}`, options);
}

/** Runs `work` and translates the driver's errors. */
export function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

function isCode(code: string, known: string): boolean {
  return code === known || code.startsWith(`${known}_`);
}

/** How long work waits for a lock of its own or another process before it fails. */
export const BUSY_LIMIT_MS = 5_000;

/** Another process usually commits within a turn or two of the event loop, so the first retries do not sleep. */
const EAGER_TRIES = 4;
const MAX_PAUSE_MS = 10;

/**
 * Runs `work` until it meets no lock of another connection, without blocking the event loop. After `limitMs` throws
 * the last `Busy`, which is a StorageUnavailable; throws other errors immediately.
 */
export async function retryWhileBusy<T>(work: () => Promise<T> | T, limitMs: number): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Busy) || performance.now() >= untilMs) throw error;
    }
    await pauseAfter(tries);
  }
}

async function pauseAfter(tries: number): Promise<void> {
  if (tries <= EAGER_TRIES) return nextTurn();
  // A random pause keeps waiting processes from retrying in step.
  const longest = Math.min(tries - EAGER_TRIES, MAX_PAUSE_MS);
  await pause(1 + Math.random() * longest);
}
