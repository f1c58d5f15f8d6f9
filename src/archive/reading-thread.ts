import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { iterableOf, PortClosed, serveIterable } from './port-iterable.js';
import { readBatches, type ReadBatch, type ReadBatches } from './read-batches.js';
import type { LineStart } from './lines.js';
import type { Source } from './source.js';

/** Reads archives in a separate thread, in parallel with writing. */
export interface ReadingThread {
  readonly readBatches: ReadBatches;
  close(): Promise<void>;
}

/** The number of batches read in advance. */
const BATCHES_AHEAD = 2;

/** A larger young generation holds a whole batch until it is sent, which saves garbage collection. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 96 };

const SCRIPT = new URL('./reading-worker.js', import.meta.url);

/**
 * Starts the thread, which keeps the process running until it is closed. A thread cannot load sources that are
 * translated on import; then the calling thread reads.
 */
export function openReadingThread(script = SCRIPT): ReadingThread {
  const worker = new Worker(script, { resourceLimits: HEAP_LIMITS });
  const isLoaded = new Promise<boolean>((resolve) => {
    worker.once('message', () => resolve(true));
    worker.once('exit', () => resolve(false));
  });
  const failure = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', () => resolve(new Error('the reading thread ended')));
  });
  return {
    readBatches: async function* (source, start) {
      if (await isLoaded) {
        yield* readIn({ worker, failure }, source, start);
        return;
      }
      const error = await failure;
      if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      yield* readBatches(source, start);
    },
    close: async () => void (await worker.terminate()),
  };
}

interface Running {
  readonly worker: Worker;
  /** Resolves to the reason why the thread ended. */
  readonly failure: Promise<Error>;
}

async function* readIn(
  { worker, failure }: Running,
  { origin }: Source,
  start: LineStart,
): AsyncGenerator<ReadBatch, void> {
  const { port1: mine, port2: batches } = new MessageChannel();
  const bytes = typeof origin === 'string' ? undefined : portOf(origin);
  worker.postMessage({ origin: bytes ?? origin, start, batches }, bytes ? [batches, bytes] : [batches]);
  // A message to a thread that has ended is lost with its ports.
  void failure.then(() => mine.close());
  try {
    yield* iterableOf<ReadBatch>(mine, BATCHES_AHEAD);
  } catch (error) {
    throw error instanceof PortClosed ? await failure : error;
  }
}

/** Returns a port that serves copies of a stream's bytes, because the producer may reuse its buffers. */
function portOf(stream: AsyncIterable<Uint8Array>): MessagePort {
  const { port1: mine, port2: theirs } = new MessageChannel();
  serveIterable(mine, copies(stream), ({ buffer }) => [buffer]);
  return theirs;
}

async function* copies(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of stream) yield new Uint8Array(chunk);
}
