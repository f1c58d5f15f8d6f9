import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { iterableOf, PortClosed, serveIterable } from './port-iterable.js';
import { readBatches, type ReadBatch, type ReadBatches } from './read-batches.js';
import type { LineStart } from './lines.js';
import type { Source } from './source.js';

/** Reads archives beside the thread that writes them. */
export interface ReadingThread {
  readonly readBatches: ReadBatches;
  close(): Promise<void>;
}

/** Made while another is written. */
const BATCHES_AHEAD = 2;

/** A batch lives until it is sent: the more of it is young until then, the less often it is moved. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 96 };

/**
 * Starts the thread, which keeps the process running until it is closed. Sources that are translated as they are loaded
 * are none that a thread can load: they read in the thread that asks.
 */
export function openReadingThread(): ReadingThread {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), { resourceLimits: HEAP_LIMITS });
  const isLoaded = new Promise<boolean>((resolve) => {
    worker.once('message', () => resolve(true));
    worker.once('exit', () => resolve(false));
  });
  const failure = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', () => resolve(new Error('the thread that reads ended')));
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
  /** Why it ended. */
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
  // A message to a thread that is gone is lost, and its ports with it.
  void failure.then(() => mine.close());
  try {
    yield* iterableOf<ReadBatch>(mine, BATCHES_AHEAD);
  } catch (error) {
    throw error instanceof PortClosed ? await failure : error;
  }
}

/** A port that serves a stream's bytes: copies, as whoever made them may keep them for something else. */
function portOf(stream: AsyncIterable<Uint8Array>): MessagePort {
  const { port1: mine, port2: theirs } = new MessageChannel();
  serveIterable(mine, copies(stream), ({ buffer }) => [buffer]);
  return theirs;
}

async function* copies(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of stream) yield new Uint8Array(chunk);
}
