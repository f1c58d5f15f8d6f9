import { PipitError } from '../core/errors.js';

/** A request body that is being buffered. */
export interface HeldBody {
  /** Adds a chunk. Throws PipitError `unavailable` if the body was dropped because others needed the memory. */
  add(chunk: Buffer): void;
  /** Releases the memory and returns the whole body. Throws like `add`. */
  finish(): Buffer;
  /** Releases the memory and drops an unfinished body. */
  release(): void;
}

/** The shared memory budget of all buffered bodies. */
export interface BodyRoom {
  hold(): HeldBody;
  heldBytes(): number;
}

/** Far more than normal clients send at one time. */
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** The memory overhead of a chunk, which may be a single byte. */
const CHUNK_BYTES = 256;

const RETRY_AFTER_SECONDS = 10;

/**
 * Bounds the memory of incomplete bodies, which anyone can start to send over any number of connections. When the
 * budget is exceeded, the body with the highest product of size and age is dropped: one that stalls.
 */
export function createBodyRoom(maxBytes = DEFAULT_MAX_BYTES, now = () => performance.now()): BodyRoom {
  const held = new Set<Held>();
  let heldBytes = 0;
  const release = (body: Held): void => {
    if (!held.delete(body)) return;
    heldBytes -= body.sizeBytes;
    body.chunks = [];
  };
  const hold = (): HeldBody => {
    const body: Held = { chunks: [], sizeBytes: 0, startedMs: now(), isDropped: false };
    const requireRoom = (): void => {
      if (body.isDropped)
        throw new PipitError({ code: 'unavailable', retryAfterSeconds: RETRY_AFTER_SECONDS });
    };
    held.add(body);
    return {
      add: (chunk) => {
        requireRoom();
        body.chunks.push(chunk);
        body.sizeBytes += chunk.length + CHUNK_BYTES;
        heldBytes += chunk.length + CHUNK_BYTES;
        while (heldBytes > maxBytes) {
          const costliest = costliestOf(held, now());
          costliest.isDropped = true;
          release(costliest);
        }
        requireRoom();
      },
      finish: () => {
        requireRoom();
        const { chunks } = body;
        release(body);
        return chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks);
      },
      release: () => release(body),
    };
  };
  return { hold, heldBytes: () => heldBytes };
}

const EMPTY = Buffer.alloc(0);

interface Held {
  chunks: Buffer[];
  sizeBytes: number;
  readonly startedMs: number;
  isDropped: boolean;
}

/** Returns the body with the highest cost. `held` is not empty, since its bytes exceed the limit. */
function costliestOf(held: ReadonlySet<Held>, nowMs: number): Held {
  return [...held].reduce((costliest, body) =>
    costOf(body, nowMs) > costOf(costliest, nowMs) ? body : costliest,
  );
}

/** Returns the cost of a body. A new body has a cost, too. */
function costOf({ sizeBytes, startedMs }: Held, nowMs: number): number {
  return sizeBytes * (nowMs - startedMs + 1);
}
