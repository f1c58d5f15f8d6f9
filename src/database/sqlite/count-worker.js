/**
 * The worker of count-thread.ts: counts matches on a separate thread and read-only connection. Plain
 * JavaScript, so that a worker thread can load it from the sources and from the build.
 *
 * Receives `{ match, above, upTo, edges }`, with edges in milliseconds since the snowflake epoch. Answers `{
 * counts }` or `{ error }` in the order of requests; ends after 'close'.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** Readers wait only while another process recovers the log or closes it. */
const BUSY_MS = 5_000;

/** @typedef {{ match: string, above: bigint, upTo: bigint, edges: Float64Array }} Question */

/** @type {{ file: string }} */
const { file } = workerData;
const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread');

const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
// A post's rowid is its negated id (search.ts).
const WITHIN = 'search_posts MATCH ? AND rowid < ? AND rowid >= ?';
const times = db.prepare(`SELECT -rowid >> 22 FROM search_posts WHERE ${WITHIN} ORDER BY rowid`).pluck();
const count = db.prepare(`SELECT COUNT(*) FROM search_posts WHERE ${WITHIN}`).pluck();

/** The cost of starting a query per term, in matches that could be fetched in the same time. */
const MATCHES_PER_TERM = 50;

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

/**
 * Counts with one query per period if the periods contain enough matches; otherwise fetches the matches.
 *
 * @param {Question} question
 */
function countByTime({ match, above, upTo, edges }) {
  const periods = Math.max(0, edges.length - 1);
  const terms = match.split('"').length >> 1;
  const enough = MATCHES_PER_TERM * terms * periods;
  const total = Number(count.get(match, -above, -upTo));
  return total < enough ? fetchByTime(match, above, upTo, edges) : countEach(match, above, upTo, edges);
}

/**
 * @param {string} match
 * @param {bigint} above
 * @param {bigint} upTo
 * @param {Float64Array} edges
 */
function countEach(match, above, upTo, edges) {
  const firsts = Array.from(edges, (edgeMs) => BigInt(Math.max(0, Math.ceil(edgeMs))) << 22n);
  return firsts.slice(1).map((end, period) => {
    const first = /** @type {bigint} */ (firsts[period]);
    const [from, to] = [first > above ? first - 1n : above, end <= upTo ? end - 1n : upTo];
    return from < to ? Number(count.get(match, -from, -to)) : 0;
  });
}

/**
 * @param {string} match
 * @param {bigint} above
 * @param {bigint} upTo
 * @param {Float64Array} edges
 */
function fetchByTime(match, above, upTo, edges) {
  const counts = new Array(Math.max(0, edges.length - 1)).fill(0);
  // Newest first: a match is in the period of the previous match or in an earlier one.
  let period = edges.length - 1;
  for (const timeMs of times.iterate(match, -above, -upTo)) {
    while (period >= 0 && /** @type {number} */ (edges[period]) > Number(timeMs)) period -= 1;
    if (period < 0) break;
    if (period < counts.length) counts[period] += 1;
  }
  return counts;
}
