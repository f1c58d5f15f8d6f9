import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable, pipeline } from 'node:stream';
import type { RateLimitState, WindowState } from '../limits/rate-limit.js';
import { type Principal, type Permission, narrowerPermission } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import { type ApiLog, logFault, logServerFault } from './fault-log.js';
import { writeJson } from '../core/wire-json.js';
import { RequestAborted } from './read-body.js';
import { Answer } from './answer.js';
import { encoded } from './content-encoding.js';
import { v1ProblemOf } from './problems-v1.js';
import { JSON_TYPE, type ProblemAnswer, failureOf, isServerFault, problemOf } from './problems.js';

/** The API version in responses (docs/api/requests.md#answers). */
export const API_VERSION = '2.52';

export const NO_CACHE = 'no-cache, no-store, max-age=0';

const NO_BYTES = Buffer.alloc(0);

/** A request that is answered with a problem. */
export interface RefusedRequest {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

/** Renders a problem as a page. */
export type ShowProblem = (problem: ProblemAnswer, refused: RefusedRequest) => Answer | Promise<Answer>;

const EXCHANGE = Symbol('exchange');

interface ExchangedResponse extends ServerResponse {
  [EXCHANGE]?: Exchange;
}

/** Returns the exchange of a response, if there is one. */
export function exchangeOf(response: ServerResponse): Exchange | undefined {
  return (response as ExchangedResponse)[EXCHANGE];
}

/** Errors of a stream whose client disconnected. */
const CLIENT_DISCONNECTED: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
]);

/** A request being answered, with the data that headers and log need. */
export class Exchange {
  readonly #startedMs = performance.now();
  principal: Principal | undefined;
  rate: RateLimitState | undefined;
  /** The parsed body, for endpoints that take JSON. */
  sentJson: unknown;
  /** The error that refused or failed the request; for the log. */
  failure: unknown;

  constructor(
    readonly response: ServerResponse,
    /** Sent as `x-transaction-id`. */
    readonly requestId: string,
    readonly operation: string,
    readonly errorStyle: 'problem' | 'v1',
  ) {
    (response as ExchangedResponse)[EXCHANGE] = this;
  }

  /** Sends the result of a handler. A stream that fails midway is logged. */
  answer(status: number, result: unknown, log: ApiLog): void {
    if (result instanceof Answer) this.failure ??= result.cause;
    if (!(result instanceof Answer)) this.sendJson(status, result);
    else if (result.body instanceof Readable) this.sendStream(result, result.body, log);
    else if (isReady(result)) this.sendAsIs(encoded(result, this.response.req.headers));
    else this.sendJson(result.status, result.body, JSON_TYPE, result.headers);
  }

  /**
   * Sends the problem for an error, rendered by `show` if given. Faults of the server are logged here and nowhere
   * else.
   */
  fail(error: unknown, clock: Clock, log: ApiLog, show?: ShowProblem): void {
    this.failure = error;
    if (error instanceof RequestAborted) return;
    const failure = failureOf(error);
    if (isServerFault(failure)) logServerFault(this, error, failure, log);
    if (this.response.headersSent) {
      // A started response cannot become a problem; closing the connection tells the client that it is incomplete.
      if (!this.response.writableEnded) this.response.destroy();
      return;
    }
    const problem = this.errorStyle === 'v1' ? v1ProblemOf(failure, clock()) : problemOf(failure, clock());
    if (show === undefined) this.sendProblem(problem);
    // What fails here, too, such as the log, must not end the process.
    else this.showProblem(problem, show, log).catch(() => this.response.destroy());
  }

  /** Sends the page of a problem, or the problem itself if there is no page. */
  private async showProblem(problem: ProblemAnswer, show: ShowProblem, log: ApiLog): Promise<void> {
    try {
      const { requestId, response } = this;
      this.answer(problem.status, await show(problem, { request: response.req, requestId }), log);
    } catch (error) {
      logFault(this, error, 'no page for a problem', log);
      this.sendProblem(problem);
    }
  }

  sendProblem(problem: ProblemAnswer): void {
    this.sendJson(problem.status, problem.body, problem.contentType, problem.headers);
  }

  private sendJson(
    status: number,
    body: unknown,
    contentType = JSON_TYPE,
    headers?: Readonly<Record<string, string | readonly string[]>>,
  ): void {
    if (this.isGone()) return;
    const bytes = body === undefined ? NO_BYTES : writeJson(body);
    const head = this.commonHeaders();
    if (body !== undefined) head.push('content-type', contentType);
    if (status !== 204) head.push('content-length', bytes.length);
    head.push('cache-control', NO_CACHE);
    if (headers !== undefined) appendHeaders(head, headers);
    this.response.writeHead(status, head);
    this.response.end(bytes);
  }

  private sendAsIs(answer: Answer): void {
    if (this.isGone()) return;
    const body = answer.body instanceof Buffer ? answer.body : Buffer.from(String(answer.body ?? ''));
    const head = this.commonHeaders();
    head.push('content-length', body.length);
    this.appendOwnHeaders(head, answer);
    this.response.writeHead(answer.status, head);
    this.response.end(body);
  }

  private sendStream(answer: Answer, body: Readable, log: ApiLog): void {
    if (this.isGone()) {
      body.destroy();
      return;
    }
    try {
      const head = this.commonHeaders();
      this.appendOwnHeaders(head, answer);
      this.response.writeHead(answer.status, head);
    } catch (error) {
      body.destroy();
      throw error;
    }
    // The body of HEAD is discarded, and might have no end.
    if (this.response.req.method === 'HEAD') {
      body.destroy();
      this.response.end();
      return;
    }
    // After the headers, an error can only be signalled by closing the connection, which `pipeline` does.
    pipeline(body, this.response, (error) => {
      if (error && !CLIENT_DISCONNECTED.has(error.code ?? '')) logFault(this, error, 'response aborted', log);
    });
  }

  private appendOwnHeaders(head: OutgoingHttpHeader[], answer: Answer): void {
    if (answer.headers['cache-control'] === undefined) head.push('cache-control', NO_CACHE);
    appendHeaders(head, answer.headers);
  }

  private isGone(): boolean {
    return this.response.destroyed || this.response.headersSent;
  }

  private commonHeaders(): OutgoingHttpHeader[] {
    const elapsedMs = performance.now() - this.#startedMs;
    const head = commonHeaders(this.requestId, elapsedMs, this.principal);
    if (this.rate !== undefined) appendRate(head, this.rate);
    return head;
  }
}

/**
 * Returns the headers of every response (docs/api/requests.md#answers): alternating names and values, the fastest
 * form for `writeHead`.
 */
export function commonHeaders(
  requestId: string,
  elapsedMs: number,
  principal?: Principal,
): OutgoingHttpHeader[] {
  return [
    'api-version',
    API_VERSION,
    'x-transaction-id',
    requestId,
    'x-response-time',
    Math.round(elapsedMs),
    'x-access-level',
    // Without credentials at most public data can be read.
    principal === undefined ? 'read' : accessLevel(principal),
  ];
}

/** Reports whether a body is sent without JSON encoding. */
function isReady({ body, headers }: Answer): boolean {
  return body instanceof Buffer || (typeof body === 'string' && headers['content-type'] !== undefined);
}

/** Appends the headers of the rate limits (docs/api/limits.md#rate-limits), alternating names and values. */
export function appendRate(head: OutgoingHttpHeader[], rate: RateLimitState): void {
  appendWindow(head, 'x-rate-limit', rate);
  for (const day of rate.days) appendWindow(head, `x-${day.per}-limit-24hour`, day);
}

function appendWindow(
  head: OutgoingHttpHeader[],
  name: string,
  { limit, remaining, resetSeconds }: WindowState,
): void {
  head.push(`${name}-limit`, limit, `${name}-remaining`, remaining, `${name}-reset`, resetSeconds);
}

function appendHeaders(
  head: OutgoingHttpHeader[],
  headers: Readonly<Record<string, string | readonly string[]>>,
): void {
  for (const [name, value] of Object.entries(headers)) {
    head.push(name, typeof value === 'string' ? value : [...value]);
  }
}

const LEVEL_OF_PERMISSION: Readonly<Record<Permission, string>> = {
  read: 'read',
  read_write: 'read-write',
  read_write_dm: 'read-write-directmessages',
};

/**
 * Returns the value of `x-access-level` (docs/api/authentication.md#permissions). The scopes of an OAuth 2.0 token
 * may narrow its app's permission.
 */
function accessLevel(principal: Principal): string {
  switch (principal.context) {
    case 'app':
      return LEVEL_OF_PERMISSION.read;
    case 'oauth1':
      return LEVEL_OF_PERMISSION[principal.permission];
    case 'oauth2':
      return LEVEL_OF_PERMISSION[
        narrowerPermission(principal.permission, permissionOfScopes(principal.scopes))
      ];
  }
}

function permissionOfScopes(scopes: ReadonlySet<string>): Permission {
  if (scopes.has('dm.read') || scopes.has('dm.write')) return 'read_write_dm';
  for (const scope of scopes) if (scope.endsWith('.write')) return 'read_write';
  return 'read';
}
