/**
 * The other end of reading-thread.ts: reads files and maps their lines on its own thread. Plain JavaScript, so that a
 * worker thread can load it from the sources and from the build alike.
 *
 * Says 'loaded', and then receives `{ origin, start, batches }` for each file: where its bytes come from (a path, or a
 * port that serves them), where to begin, and the port on which batches are asked for.
 */
import { parentPort } from 'node:worker_threads';
import { iterableOf, serveIterable } from './port-iterable.js';
import { readBatches } from './read-batches.js';
import { fileSource, streamSource } from './source.js';

/** Chunks of a stream are asked for so far ahead, as their thread is busy writing for long: a batch or so of pipe's chunks. */
const CHUNKS_AHEAD = 128;

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread');

/** @typedef {{ origin: string | import('node:worker_threads').MessagePort, start: import('./lines.js').LineStart, batches: import('node:worker_threads').MessagePort }} Wanted */

port.on('message', (/** @type {Wanted} */ wanted) => serveIterable(wanted.batches, read(wanted)));
port.postMessage('loaded');

/** @param {Wanted} wanted */
async function* read({ origin, start }) {
  const source =
    typeof origin === 'string'
      ? await fileSource(origin)
      : streamSource('stream', iterableOf(origin, CHUNKS_AHEAD));
  yield* readBatches(source, start);
}
