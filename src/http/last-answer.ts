import type { ServerResponse } from 'node:http';
import { type ApiLog, NO_CACHE, commonHeaders } from './exchange.js';
import { hasV1Errors, v1ProblemOf } from './problems-v1.js';
import type { HttpShell } from './shell.js';
import { type ProblemAnswer, problemOf } from './problems.js';

type Deps = Pick<HttpShell, 'log' | 'newRequestId'>;

/** Answers a request. */
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

/** Keeps late errors of a response from ending the process. */
export function ignoreLateErrors(response: ServerResponse): void {
  response.on('error', ignore);
}

function ignore(): void {
  // The connection is closed.
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
export function logUncaught(log: ApiLog, requestId: string | undefined, error: unknown): void {
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
