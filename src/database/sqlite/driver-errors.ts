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

function isCode(code: string, known: string): boolean {
  return code === known || code.startsWith(`${known}_`);
}
