import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Principal } from '../core/access.js';
import { type ApiLog, type Exchange, exchangeOf } from './exchange.js';
import { logEscaped } from './last-answer.js';

/** A request whose answer was sent, or whose connection ended before that. */
export interface SeenRequest {
  readonly requestId: string | undefined;
  /** The id of an endpoint, method and path pattern of another route, or `unrouted`: one of few values. */
  readonly operation: string;
  readonly method: string;
  /** As sent. It may hold secrets. */
  readonly url: string;
  /** 0 when no answer was begun. */
  readonly status: number;
  /** True when the client did not wait for the whole answer. */
  readonly isCut: boolean;
  readonly elapsedMs: number;
  readonly principal: Principal | undefined;
  /** What refused the request or failed, when that was thrown. */
  readonly failure: unknown;
}

/** Hears of each request once it is over. What it throws is logged. */
export type RequestObserver = (request: SeenRequest) => void;

/** Tells observers of each request of a server; without observers requests cost nothing more. */
export function observeRequests(server: Server, observers: readonly RequestObserver[], log: ApiLog): void {
  if (observers.length === 0) return;
  // Before the listener that answers: the time includes it.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now();
    response.once('close', () => {
      try {
        const seen = seenRequest(request, response, exchangeOf(response), performance.now() - startedMs);
        for (const observe of observers) observe(seen);
      } catch (error) {
        logEscaped(log, exchangeOf(response)?.requestId, error);
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
