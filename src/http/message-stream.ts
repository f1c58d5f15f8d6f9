import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { systemTimers, type Timers } from '../core/timers.js';

/** What a client gets before the server ends a stream. */
export type Farewell = () => Buffer;

export interface MessageStreamOptions {
  /** Returns the last message to a client that does not read, which is cut off then. */
  readonly onSlow: Farewell;
  /** The most bytes that wait for a client. */
  readonly maxWaitingBytes: number;
  readonly timers?: Timers;
}

/** With this interval, no more than 20 seconds pass in silence (docs/api/streams.md#messages). */
const KEEP_ALIVE_MS = 10_000;
/** The longest time in which a client that is behind reads nothing. */
const STALLED_MS = 60_000;
/** The time for a client to read the last message. */
const FAREWELL_MS = 5_000;

const LINE_END = '\r\n';
const KEEP_ALIVE = Buffer.from(LINE_END);
/** The pieces in which Node.js passes on what it decompresses (nodejs.org/api/zlib.html#class-options). */
const PIECE_BYTES = 16_384;
const BEYOND_ASCII = /[\u0080-\uFFFF]/g;

/**
 * A response body of messages, one JSON object and CRLF each (docs/api/streams.md#messages). A message is one chunk, and
 * consists of ASCII only: clients decode the pieces that they receive one by one. A blank line keeps the connection
 * alive. A client that does not read is sent away when too much waits for it.
 *
 * The line end of a message never begins a piece of 16 KiB: twitter-api-v2 would take it for a blank line, and read two
 * messages as one.
 */
export class MessageStream extends Readable {
  readonly #options: MessageStreamOptions;
  readonly #waiting: Buffer[] = [KEEP_ALIVE];
  readonly #endTimers: (() => void)[] = [];
  #waitingBytes = 0;
  #sentBytes = 0;
  #isQuiet = true;
  #isEnding = false;
  #wantsMore = false;
  /** Calls those who wait for room. */
  #onRoom: (() => void) | undefined;

  constructor(options: MessageStreamOptions) {
    super();
    this.#options = options;
    const { timers = systemTimers } = options;
    this.#endTimers.push(timers.every(KEEP_ALIVE_MS, () => this.#keepAlive()));
  }

  /** Sends a message (`messageOf`). Does nothing after the end. */
  send(message: Buffer): void {
    if (this.#isEnding || this.destroyed) return;
    if (this.#waitingBytes + message.length <= this.#options.maxWaitingBytes) this.#add(message);
    else this.#cut();
  }

  /**
   * Resolves when at most half of what may wait does, or the stream has ended. A client that reads nothing for a minute
   * meanwhile is cut off. Only one caller may wait.
   */
  room(): Promise<void> {
    if (!this.#isCrowded()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#watch(() => this.#cut());
      this.#onRoom = () => {
        stop();
        resolve();
      };
    });
  }

  /** Sends a last message and ends the stream, at the latest after five seconds. */
  finish(message: Buffer): void {
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.#add(message);
    this.#noticeRoom();
    const { timers = systemTimers } = this.#options;
    this.#endTimers.push(timers.after(FAREWELL_MS, () => this.destroy()));
  }

  /** Ends the stream when the client has read everything, or has read nothing for a minute. */
  finishRead(): void {
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.#endTimers.push(this.#watch(() => this.destroy()));
    this.#pass();
  }

  override _read(): void {
    this.#wantsMore = true;
    this.#pass();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    for (const end of this.#endTimers.splice(0)) end();
    this.#waiting.length = 0;
    this.#noticeRoom();
    done(error);
  }

  #cut(): void {
    if (this.#isEnding || this.destroyed) return;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    this.finish(this.#options.onSlow());
  }

  /** Calls a function when the client reads nothing for a minute, until the returned one is called. */
  #watch(onStalled: () => void): () => void {
    const { timers = systemTimers } = this.#options;
    let waiting = this.#waitingBytes;
    return timers.every(STALLED_MS, () => {
      if (this.#waitingBytes === waiting) onStalled();
      waiting = this.#waitingBytes;
    });
  }

  #isCrowded(): boolean {
    const isOpen = !this.#isEnding && !this.destroyed;
    return isOpen && this.#waitingBytes > this.#options.maxWaitingBytes / 2;
  }

  #noticeRoom(): void {
    if (this.#onRoom === undefined || this.#isCrowded()) return;
    this.#onRoom();
    this.#onRoom = undefined;
  }

  #add(message: Buffer): void {
    this.#isQuiet = false;
    this.#waiting.push(message);
    this.#waitingBytes += message.length;
    this.#pass();
  }

  #keepAlive(): void {
    if (this.#isQuiet && !this.#isEnding && this.#waiting.length === 0) {
      this.#waiting.push(KEEP_ALIVE);
      this.#pass();
    }
    this.#isQuiet = true;
  }

  #pass(): void {
    while (this.#wantsMore) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (next !== KEEP_ALIVE) this.#waitingBytes -= next.length;
      const lineEndAt = this.#sentBytes + next.length - LINE_END.length;
      if (next !== KEEP_ALIVE && lineEndAt % PIECE_BYTES === 0) this.#push(KEEP_ALIVE);
      this.#wantsMore = this.#push(next);
    }
    this.#noticeRoom();
    if (this.#isEnding && this.#waiting.length === 0 && this.#wantsMore) this.push(null);
  }

  #push(bytes: Buffer): boolean {
    this.#sentBytes += bytes.length;
    return this.push(bytes);
  }
}

/** Returns the message with a JSON object, which has no line breaks. Several streams may send the same message. */
export function messageOf(json: string): Buffer {
  return Buffer.from(json.replace(BEYOND_ASCII, escaped) + LINE_END, 'latin1');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the stream compressed by gzip, each chunk passed on at once. Destroying one destroys the other. */
export function gzipped(stream: Readable): Readable {
  return pipeline(stream, new ChunkwiseGzip(), () => undefined);
}

/**
 * Compresses each chunk to one chunk. A gzip stream of Node.js divides its output into pieces of 16 KiB, and the end of
 * a message, in a read of its own, would be what `MessageStream` avoids.
 */
class ChunkwiseGzip extends Transform {
  readonly #pieces: Buffer[] = [];
  readonly #gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
    .on('data', (piece: Buffer) => this.#pieces.push(piece))
    .on('error', (error) => this.destroy(error));

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#gzip.write(chunk, (error) => done(error, this.#output()));
  }

  override _flush(done: TransformCallback): void {
    this.#gzip.once('end', () => done(null, this.#output())).end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#gzip.destroy();
    done(error);
  }

  #output(): Buffer {
    return Buffer.concat(this.#pieces.splice(0));
  }
}
