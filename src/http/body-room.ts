import { PipitError } from '../core/errors.js';

/** A body that is being received whole. */
export interface HeldBody {
  /** Takes what arrived. Throws PipitError `unavailable` when others needed the room: what was held is dropped. */
  add(chunk: Buffer): void;
  /** Ends holding, and returns the whole body. Throws as `add`. */
  finish(): Buffer;
  /** Ends holding; what was not finished is dropped. */
  release(): void;
}

/** The memory that all bodies which are being received whole have together. */
export interface BodyRoom {
  hold(): HeldBody;
  heldBytes(): number;
}

/** Far more than honest clients send at one moment. */
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** What each chunk takes beside its bytes, of which it may have one. */
const CHUNK_BYTES = 256;

const RETRY_AFTER_SECONDS = 10;

/**
 * Bounds what bodies take before they are complete: anybody may begin to send one, over any number of connections. When
 * there is no room, the body that took the most of it for the longest is dropped, which is one that stalls.
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

/** `held` is not empty: its bytes are too many. */
function costliestOf(held: ReadonlySet<Held>, nowMs: number): Held {
  return [...held].reduce((costliest, body) =>
    costOf(body, nowMs) > costOf(costliest, nowMs) ? body : costliest,
  );
}

/** A body that has just begun costs something, too. */
function costOf({ sizeBytes, startedMs }: Held, nowMs: number): number {
  return sizeBytes * (nowMs - startedMs + 1);
}
