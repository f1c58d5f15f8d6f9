import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import type { Principal } from '../core/access.js';
import { type Exchange, NO_CACHE, commonHeaders, exchangeOf } from './exchange.js';
import type { ApiLog } from './fault-log.js';
import { hasV1Errors, v1ProblemOf } from './problems-v1.js';
import type { HttpShell } from './shell.js';
import { type ProblemAnswer, problemOf } from './problems.js';

type Deps = Pick<HttpShell, 'log' | 'newRequestId'>;

/** Answers a request; an observer may run it in a context of its own. */
export type Answering = () => void | Promise<void>;

/**
 * Runs `answering`, as the last resort of every request: uncaught errors are logged and answered with 500, or the
 * connection is closed if the response has started. Never throws or rejects.
 */
export function answerOrFail(deps: Deps, response: ServerResponse, answering: Answering): void {
  try {
    const running = answering();
    if (running !== undefined) running.catch((error: unknown) => fail(deps, response, error));
  } catch (error) {
    fail(deps, response, error);
  }
}

const LAST_ANSWER = Symbol('last answer');

interface Connection extends Duplex {
  /** The response to its last request. */
  [LAST_ANSWER]?: ServerResponse;
}

/** Keeps the response for `lastAnswerOver`, and its late errors from ending the process. */
export function keepAnswer({ socket }: { readonly socket: Connection }, response: ServerResponse): void {
  response.on('error', ignore);
  socket[LAST_ANSWER] = response;
}

/** Returns the response to the last request of a connection, on a server that listens with `keepAnswer`. */
export function lastAnswerOver(connection: Connection): ServerResponse | undefined {
  return connection[LAST_ANSWER];
}

function ignore(): void {
  // The connection is closed.
}

/** A request whose response was sent or whose connection closed. */
export interface SeenRequest {
  readonly requestId: string | undefined;
  /** The id of an endpoint, method and path pattern of another route, or `unrouted`: a small set of values. */
  readonly operation: string;
  readonly method: string;
  /** As sent. May contain secrets. */
  readonly url: string;
  /** 0 if no response was started. */
  readonly status: number;
  /** True if the client disconnected before the end of the response. */
  readonly isCut: boolean;
  readonly elapsedMs: number;
  readonly principal: Principal | undefined;
  /** The error that refused or failed the request, if one was thrown. */
  readonly failure: unknown;
  /** What went over the connection for it, with headers; absent for a call inside the server. */
  readonly bytes?: { readonly sent: number; readonly received: number };
}

/** Observes finished requests. */
export interface RequestObserver {
  /** Skips requests with a status below 400. */
  readonly onlyRefused?: boolean;
  /** Called when the headers of a request have arrived; `observe` follows, with its bytes. Must not throw. */
  begin?(this: void): void;
  /** Called for each request. Its errors are logged. */
  observe(this: void, request: SeenRequest): void;
}

/** Calls observers for each request of a server. Without observers there is no overhead. */
export function observeRequests(server: Server, observers: readonly RequestObserver[], log: ApiLog): void {
  if (observers.length === 0) return;
  // Runs before the answering listener, so the time includes it.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now();
    for (const { begin } of observers) begin?.();
    response.once('close', () => {
      const seen = seenRequest(request, response, exchangeOf(response), performance.now() - startedMs);
      showRequest(observers, seen, log);
    });
  });
}

/** Shows a finished request to its observers. Never throws. */
export function showRequest(observers: readonly RequestObserver[], seen: SeenRequest, log: ApiLog): void {
  try {
    for (const { onlyRefused, observe } of observers) if (!onlyRefused || seen.status >= 400) observe(seen);
  } catch (error) {
    logUncaught(log, seen.requestId, error);
  }
}

function seenRequest(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange | undefined,
  elapsedMs: number,
): SeenRequest {
  return {
    requestId: exchange?.requestId,
    operation: exchange?.operation ?? 'unrouted',
    method: request.method ?? '',
    url: request.url ?? '',
    status: response.headersSent ? response.statusCode : 0,
    isCut: !response.writableFinished,
    elapsedMs,
    principal: exchange?.principal,
    failure: exchange?.failure,
    bytes: countBytes(request.socket),
  };
}

const COUNTED = Symbol('counted bytes');

interface CountedSocket extends Partial<Pick<Socket, 'bytesWritten' | 'bytesRead'>> {
  [COUNTED]?: { sent: number; received: number };
}

/** Returns what passed over a connection since the last call. Sockets of requests in memory count nothing. */
function countBytes(socket: CountedSocket): { readonly sent: number; readonly received: number } {
  const { bytesWritten = 0, bytesRead = 0 } = socket;
  const before = (socket[COUNTED] ??= { sent: 0, received: 0 });
  const bytes = { sent: bytesWritten - before.sent, received: bytesRead - before.received };
  before.sent = bytesWritten;
  before.received = bytesRead;
  return bytes;
}

function fail({ log, newRequestId }: Deps, response: ServerResponse, error: unknown): void {
  try {
    const requestId = newRequestId();
    logUncaught(log, requestId, error);
    if (!response.headersSent) sendProblem(response, requestId);
    else if (!response.writableEnded) response.destroy();
  } catch {
    response.destroy();
  }
}

/**
 * Logs an uncaught error. Never throws, even if the error cannot be logged, for example because its members throw
 * when read.
 */
function logUncaught(log: ApiLog, requestId: string | undefined, error: unknown): void {
  const message = 'uncaught error in a request';
  try {
    log.error({ requestId, err: error }, message);
  } catch {
    try {
      log.error({ requestId }, message);
    } catch {
      // The request is answered even if logging fails.
    }
  }
}

function sendProblem(response: ServerResponse, requestId: string): void {
  const { status, body, contentType } = internalProblem(response.req.url ?? '');
  const text = JSON.stringify(body);
  const head = commonHeaders(requestId, 0);
  head.push('content-type', contentType, 'content-length', Buffer.byteLength(text));
  head.push('cache-control', NO_CACHE);
  response.writeHead(status, head);
  response.end(text);
}

function internalProblem(url: string): ProblemAnswer {
  return hasV1Errors(url) ? v1ProblemOf({ code: 'internal' }, 0) : problemOf({ code: 'internal' }, 0);
}

/** How long the rest of a request is read after the response that closes its connection. */
const LINGER_MS = 30_000;

/**
 * Lets a client that is still sending receive a response that closes the connection: the server stops sending, reads
 * and discards the rest of the request, and closes then, or after `lingerMs` (RFC 9112 9.6). Closing at once would
 * reset the connection, and the reset can overtake the response.
 */
export function lingerOnClose(server: Server, lingerMs = LINGER_MS): void {
  server.on('request', (request) => {
    const { socket, headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    // `node:http` calls this method after the last response of a connection.
    socket.destroySoon = () => {
      if (request.complete) closeOnceSent(socket);
      else linger(request, lingerMs);
    };
  });
}

/**
 * Leaves out requests that follow the response that closes their connection: nothing can answer them, so the client
 * may repeat them (RFC 9112 9.3.2, 9.6).
 */
export function whileOpen(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.socket.writableEnded) request.resume();
    else handle(request, response);
  };
}

function linger(request: IncomingMessage, lingerMs: number): void {
  const { socket } = request;
  const close = (): void => {
    clearTimeout(timer);
    closeOnceSent(socket);
  };
  const timer = setTimeout(close, lingerMs);
  request.once('close', close);
  socket.end();
}

function closeOnceSent(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
