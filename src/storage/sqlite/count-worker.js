/**
 * The other end of count-thread.ts: counts matches on its own thread and read-only connection. Plain JavaScript, so that
 * a worker thread can load it from the sources and from the build alike.
 *
 * Receives `{ match, above, upTo, edges }`, with the edges in milliseconds since the epoch of ids; answers `{ counts }`
 * or `{ error }`, in the order of asking; ends after 'close'.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** Readers wait only while another process recovers the log or ends. */
const BUSY_MS = 5_000;

/** @typedef {{ match: string, above: bigint, upTo: bigint, edges: Float64Array }} Question */

/** @type {{ file: string }} */
const { file } = workerData;
const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread');

const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
const matches = db
  .prepare(
    `SELECT rowid >> 22 FROM search_posts
    WHERE search_posts MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid DESC`,
  )
  .pluck();

port.on('message', (/** @type {Question | 'close'} */ question) => {
  if (question === 'close') {
    db.close();
    port.close();
    return;
  }
  try {
    port.postMessage({ counts: countByTime(question) });
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
});

/** @param {Question} question */
function countByTime({ match, above, upTo, edges }) {
  const counts = new Array(Math.max(0, edges.length - 1)).fill(0);
  // Newest first: the period that a match is in is the one of the match before it, or one below.
  let period = edges.length - 1;
  for (const timeMs of matches.iterate(match, above, upTo)) {
    while (period >= 0 && /** @type {number} */ (edges[period]) > Number(timeMs)) period -= 1;
    if (period < 0) break;
    if (period < counts.length) counts[period] += 1;
  }
  return counts;
}
