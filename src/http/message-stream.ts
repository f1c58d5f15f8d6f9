import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { systemTimers, type Timers } from '../core/timers.js';

/** What a client gets before the server ends a stream. */
export type Farewell = () => string;

export interface MessageStreamOptions {
  /** The last message to a client that does not read. */
  readonly onSlow: Farewell;
  /** The most bytes that wait for a client. */
  readonly maxWaitingBytes?: number;
  readonly timers?: Timers;
}

/** With this interval, no more than 20 seconds pass in silence (docs/api/streams.md#messages). */
const KEEP_ALIVE_MS = 10_000;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** The time for a client to read the last message. */
const FAREWELL_MS = 5_000;

const LINE_END = '\r\n';
const KEEP_ALIVE = Buffer.from(LINE_END);
const BEYOND_ASCII = /[\u0080-\uFFFF]/g;

/**
 * A response body of messages, one JSON object and CRLF each (docs/api/streams.md#messages). A message is one chunk, and
 * consists of ASCII only: clients decode the pieces that they receive one by one. A blank line keeps the connection
 * alive. A client that does not read is sent away when too much waits for it.
 */
export class MessageStream extends Readable {
  readonly #options: MessageStreamOptions;
  readonly #waiting: Buffer[] = [KEEP_ALIVE];
  readonly #endTimers: (() => void)[] = [];
  #waitingBytes = 0;
  #isQuiet = true;
  #isEnding = false;
  #wantsMore = false;

  constructor(options: MessageStreamOptions) {
    super();
    this.#options = options;
    const { timers = systemTimers } = options;
    this.#endTimers.push(timers.every(KEEP_ALIVE_MS, () => this.#keepAlive()));
  }

  /** Sends a JSON object, which has no line breaks. Does nothing after the end. */
  send(json: string): void {
    if (this.#isEnding || this.destroyed) return;
    const { maxWaitingBytes = MAX_WAITING_BYTES, onSlow } = this.#options;
    const message = framed(json);
    if (this.#waitingBytes + message.length <= maxWaitingBytes) return this.#add(message);
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    this.finish(onSlow());
  }

  /** Sends a last message and ends the stream, at the latest after five seconds. */
  finish(json: string): void {
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.#add(framed(json));
    const { timers = systemTimers } = this.#options;
    this.#endTimers.push(timers.after(FAREWELL_MS, () => this.destroy()));
  }

  override _read(): void {
    this.#wantsMore = true;
    this.#pass();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    for (const end of this.#endTimers.splice(0)) end();
    this.#waiting.length = 0;
    done(error);
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
      this.#wantsMore = this.push(next);
    }
    if (this.#isEnding && this.#waiting.length === 0 && this.#wantsMore) this.push(null);
  }
}

function framed(json: string): Buffer {
  return Buffer.from(json.replace(BEYOND_ASCII, escaped) + LINE_END, 'latin1');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the stream compressed by gzip, each chunk passed on at once. Destroying one destroys the other. */
export function gzipped(stream: Readable): Readable {
  return pipeline(stream, createGzip({ flush: constants.Z_SYNC_FLUSH }), () => undefined);
}

/** Reports whether a client takes gzip (RFC 9110, section 12.5.3). */
export function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  return /(?:^|[,\s])(?:gzip|\*)\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i.test(String(acceptEncoding ?? ''));
}
