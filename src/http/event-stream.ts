import { PassThrough } from 'node:stream';
import { systemTimers, type Timers } from '../core/timers.js';

/** Proxies close connections that are silent for longer. */
const KEEP_ALIVE_MS = 15_000;

/** The headers of a response with server-sent events. Proxies that buffer would keep events back. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * A response body of server-sent events (HTML Standard, section 9.2). A comment every 15 seconds keeps the connection
 * alive; a client that has not read enough for it by then is disconnected. Browsers connect again by themselves.
 */
export class EventStream extends PassThrough {
  constructor(timers: Timers = systemTimers) {
    super();
    const stop = timers.every(KEEP_ALIVE_MS, () => this.#keepAlive());
    this.once('close', stop);
    this.write('retry: 1000\n\n');
  }

  /** Sends an event. Returns false, and sends nothing, while the client does not read or after the end. */
  send(data: string, event = 'message'): boolean {
    if (this.writableNeedDrain || this.writableEnded || this.destroyed) return false;
    this.write(`${event === 'message' ? '' : `event: ${event}\n`}data: ${data}\n\n`);
    return true;
  }

  #keepAlive(): void {
    if (this.writableNeedDrain) this.destroy();
    else if (!this.writableEnded) this.write(':\n\n');
  }
}
