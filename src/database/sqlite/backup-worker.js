/**
 * Copies a database file on its own thread and connection, then ends. All pages go in one step: a copy in several would
 * start over whenever another connection commits between two of them. Writers are not held up: the copy reads one
 * snapshot of the write-ahead log.
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
  // The driver's own class of errors loses its message on the way to another thread.
  const { message, code } = /** @type {{ message: string, code: string }} */ (error);
  throw Object.assign(new Error(message), { code });
}
