import type { ServerResponse } from 'node:http';
import type { Timers } from '../../core/timers.js';
import type { Cut, Drip } from './effect.js';

/** The methods that send a body, without their overloads. */
interface Sending {
  write(chunk: unknown, ...rest: unknown[]): boolean;
  end(...args: unknown[]): unknown;
}

/** Resets the connection of a response, and ends the response for its server. */
export function resetConnection(response: ServerResponse): void {
  response.req.socket.resetAndDestroy();
  response.destroy();
}

/** Ends the body of a response early. Call it before the response begins. */
export function cutAnswer(response: ServerResponse, cut: Cut): void {
  const sending = response as Sending;
  const { write, end } = sending;
  const isOfMessages = cut.afterMessages !== undefined;
  let left = cut.afterMessages ?? cut.afterBytes ?? 0;
  let isDone = false;
  const finish = (): void => {
    // Only a streamed body may end early without being invalid.
    if (cut.isClean && response.chunkedEncoding) end.call(response);
    // Some clients take a connection that is merely closed for the end of the body.
    else resetConnection(response);
  };
  const pass = (chunk: Buffer): boolean => {
    if (isDone) return false;
    const passed = isOfMessages ? chunk.subarray(0, left > 0 ? chunk.length : 0) : chunk.subarray(0, left);
    left -= isOfMessages ? Number(!isBlank(chunk)) : chunk.length;
    if (left > 0) return write.call(response, passed);
    isDone = true;
    // A reset discards what the system has not sent yet.
    if (passed.length > 0) write.call(response, passed, () => setImmediate(finish));
    else {
      response.flushHeaders();
      setImmediate(finish);
    }
    return false;
  };
  sending.write = (chunk) => pass(bytesOf(chunk));
  sending.end = (chunk) => {
    if (typeof chunk !== 'function' && chunk !== undefined) pass(bytesOf(chunk));
    if (!isDone) end.call(response);
    return response;
  };
}

/** Sends the body of a response slowly. Call it before the response begins. */
export function dripAnswer(response: ServerResponse, { bytes, everyMs }: Drip, timers: Timers): void {
  const sending = response as Sending;
  const { write, end } = sending;
  let waiting: Buffer = Buffer.alloc(0);
  let isEnding = false;
  let isRunning = false;
  const step = (): void => {
    isRunning = false;
    if (response.destroyed) return;
    if (waiting.length === 0) {
      if (isEnding) end.call(response);
      else response.emit('drain');
      return;
    }
    write.call(response, waiting.subarray(0, bytes));
    waiting = waiting.subarray(bytes);
    isRunning = true;
    timers.after(everyMs, step);
  };
  const add = (chunk: unknown): void => {
    waiting = Buffer.concat([waiting, bytesOf(chunk)]);
    if (!isRunning) step();
  };
  sending.write = (chunk) => {
    add(chunk);
    return false;
  };
  sending.end = (chunk) => {
    isEnding = true;
    add(typeof chunk === 'function' ? undefined : chunk);
    return response;
  };
}

/** A keep-alive line of a stream is no message. */
function isBlank(chunk: Buffer): boolean {
  return chunk.toString('latin1').trim() === '';
}

function bytesOf(chunk: unknown): Buffer {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk);
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.alloc(0);
}
