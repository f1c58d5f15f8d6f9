import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Principal } from '../core/access.js';
import { type ApiLog, type Exchange, exchangeOf } from './exchange.js';
import { logUncaught } from './last-answer.js';

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
}

/** Called for each finished request. Its errors are logged. */
export type RequestObserver = (request: SeenRequest) => void;

/** Calls observers for each request of a server. Without observers there is no overhead. */
export function observeRequests(server: Server, observers: readonly RequestObserver[], log: ApiLog): void {
  if (observers.length === 0) return;
  // Runs before the answering listener, so the time includes it.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now();
    response.once('close', () => {
      try {
        const seen = seenRequest(request, response, exchangeOf(response), performance.now() - startedMs);
        for (const observe of observers) observe(seen);
      } catch (error) {
        logUncaught(log, exchangeOf(response)?.requestId, error);
      }
    });
  });
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
  };
}
