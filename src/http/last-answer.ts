import type { ServerResponse } from 'node:http';
import { type ApiLog, NO_CACHE, commonHeaders } from './exchange.js';
import { hasV1Errors, v1ProblemOf } from './problems-v1.js';
import { type ProblemAnswer, problemOf } from './problems.js';

/** What the last answer needs. */
export interface LastAnswerDeps {
  readonly log: ApiLog;
  readonly newRequestId: () => string;
}

/** What answers a request. */
export type Answering = () => void | Promise<void>;

/**
 * Runs what answers a request. This is the last place of every request: whatever escapes is logged and answered 500, or
 * the connection is closed when an answer has begun. Never throws or rejects.
 */
export function answerOrFail(deps: LastAnswerDeps, response: ServerResponse, answering: Answering): void {
  try {
    const running = answering();
    if (running !== undefined) running.catch((error: unknown) => fail(deps, response, error));
  } catch (error) {
    fail(deps, response, error);
  }
}

/** Keeps a response that nobody listens to any more from ending the process with an error. */
export function ignoreLateErrors(response: ServerResponse): void {
  response.on('error', ignore);
}

function ignore(): void {
  // The connection is closed; there is nobody to tell.
}

function fail({ log, newRequestId }: LastAnswerDeps, response: ServerResponse, error: unknown): void {
  try {
    const requestId = newRequestId();
    logEscaped(log, requestId, error);
    if (!response.headersSent) sendProblem(response, requestId);
    else if (!response.writableEnded) response.destroy();
  } catch {
    response.destroy();
  }
}

/** Logs what escaped, which may be what cannot be logged, as an error whose members throw when read. Never throws. */
export function logEscaped(log: ApiLog, requestId: string | undefined, error: unknown): void {
  const message = 'request failed where nothing should';
  try {
    log.error({ requestId, err: error }, message);
  } catch {
    try {
      log.error({ requestId }, message);
    } catch {
      // Whatever becomes of the log, the request is answered.
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
