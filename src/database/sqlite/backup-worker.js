/**
 * Copies a database file on a separate thread and connection. All pages are copied in one step: a copy in
 * several steps would restart at every commit of another connection. Writers are not blocked: the copy reads
 * one snapshot of the write-ahead log.
 */
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const ALL_PAGES = 0x7fffffff;
const BUSY_MS = 5_000;

/** @type {{ source: string, target: string }} */
const { source, target } = workerData;
try {
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  await db.backup(target, { progress: () => ALL_PAGES });
  db.close();
} catch (error) {
  // The driver's error class loses its message between threads.
  const { message, code } = /** @type {{ message: string, code: string }} */ (error);
  throw Object.assign(new Error(message), { code });
}
