/**
 * Moves pages from the write-ahead log into the database file, on a separate thread and connection. Plain
 * JavaScript, so that a worker thread can load it from the sources and from the build.
 *
 * Receives the mode of a checkpoint and answers with the row of `PRAGMA wal_checkpoint`; ends after 'close'.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** How long a RESTART may wait for readers and other processes' writers. This process's writers wait too. */
const BUSY_MS = 100;

/** @type {{ file: string }} */
const { file } = workerData;
const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread');

const db = new Database(file, { fileMustExist: true, timeout: BUSY_MS });
db.pragma('synchronous = NORMAL');
db.pragma('wal_autocheckpoint = 0');

port.on('message', (/** @type {'PASSIVE' | 'RESTART' | 'close'} */ request) => {
  if (request === 'close') {
    db.close();
    port.close();
  } else {
    port.postMessage(db.pragma(`wal_checkpoint(${request})`));
  }
});
