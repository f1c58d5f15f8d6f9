/**
 * The worker side of reading-thread.ts: reads files and maps their lines. Plain JavaScript, so that a worker
 * thread can load it both from the sources and from the build.
 *
 * Posts 'loaded', then receives `{ origin, start, batches }` for each file: a path or a port that serves the
 * bytes, the start position, and the port on which batches are requested.
 */
import { parentPort } from 'node:worker_threads';
import { iterableOf, serveIterable } from './port-iterable.js';
import { readBatches } from './read-batches.js';
import { fileSource, streamSource } from './source.js';

/**
 * The number of stream chunks requested in advance, about one batch, because the main thread may be busy
 * writing.
 */
const CHUNKS_AHEAD = 128;

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread');

/**
 * @typedef {object} ReadRequest
 * @property {string | import('node:worker_threads').MessagePort} origin
 * @property {import('./lines.js').LineStart} start
 * @property {import('node:worker_threads').MessagePort} batches
 */

port.on('message', (/** @type {ReadRequest} */ request) => serveIterable(request.batches, read(request)));
port.postMessage('loaded');

/** @param {ReadRequest} request */
async function* read({ origin, start }) {
  const source =
    typeof origin === 'string'
      ? await fileSource(origin)
      : streamSource('stream', iterableOf(origin, CHUNKS_AHEAD));
  yield* readBatches(source, start);
}
