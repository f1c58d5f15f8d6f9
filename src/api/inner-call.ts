import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import type { Principal } from '../core/access.js';
import { writeJson } from '../core/wire-json.js';
import { Answer } from '../http/answer.js';
import { appendRate, exchangeOf } from '../http/exchange.js';
import type { Faults } from '../http/faults.js';
import { logServerFault } from '../http/fault-log.js';
import { failureOf, isServerFault, problemOf } from '../http/problems.js';
import { type RequestObserver, type SeenRequest, showRequest } from '../http/request-listeners.js';
import type { BodySpec, StreamedBodyValue } from './body/body.js';
import { checkJson } from './body/check.js';
import {
  type CallProgress,
  type CallSource,
  type EndpointRunner,
  type Shell,
  endpointRunner,
} from './run-endpoint.js';
import { type CallArguments, type RequestParts, readArguments, targetOf } from './call-arguments.js';
import type { AnyEndpoint } from './endpoint.js';

/** An endpoint that is called without an HTTP request: as a tool (docs/api/mcp.md) or by a page of this server. */
export interface InnerEndpoint {
  readonly endpoint: AnyEndpoint;
  readonly runner: EndpointRunner;
}

/** The response that the request in place of the call would get. */
export interface InnerAnswer {
  readonly status: number;
  /** The body; empty if there is none. */
  readonly text: string;
  /** The body of an endpoint that streams, which the caller passes on or destroys. */
  readonly stream?: Readable;
  /** The headers about limits and the id of the call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error behind a refusal. */
  readonly failure: unknown;
}

/** A call that a client has sent inside another request, with its answer. */
export interface CarriedCall {
  readonly seen: SeenRequest;
  /** The members of the JSON body, for endpoints that take one. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly answer: InnerAnswer;
  /** The operation of the request that carries it. */
  readonly via: string;
  /** The Authorization header of that request. */
  readonly authorization: string | undefined;
}

export interface CallDeps {
  readonly shell: Shell;
  readonly observers: readonly RequestObserver[];
  /** Records calls that clients send inside other requests. Must not throw. */
  readonly recordCall?: (call: CarriedCall) => void;
}

/** What comes with a call besides its arguments. */
interface CallParts {
  /** The response of the client's request that carries the call: faults and journals then treat the call as a request. */
  readonly carrier?: ServerResponse;
  /** The body of an endpoint that takes a streamed one. */
  readonly body?: StreamedBodyValue;
}

/**
 * Calls an endpoint with the checks and the log line of its request. Never throws.
 */
export async function callInside(
  called: InnerEndpoint,
  sent: CallArguments,
  principal: Principal,
  { shell, observers, recordCall }: CallDeps,
  { carrier, body }: CallParts = {},
): Promise<InnerAnswer> {
  const startedMs = performance.now();
  const { endpoint } = called;
  const call = new InnerRequest(called, readArguments(endpoint, sent), principal, shell, { carrier, body });
  const answer = await call.run();
  const seen = call.seen(answer.status, performance.now() - startedMs);
  showRequest(observers, seen, shell.log);
  const via = carrier && exchangeOf(carrier)?.operation;
  if (recordCall && carrier && via !== undefined) {
    const { authorization } = carrier.req.headers;
    recordCall({ seen, json: endpoint.body && call.json, answer, via, authorization });
  }
  return answer;
}

/** Calls an endpoint by its operation id, with a body if it takes a streamed one. Throws if there is no such operation. */
export type CallOperation = (
  operationId: string,
  sent: CallArguments,
  principal: Principal,
  body?: StreamedBodyValue,
) => Promise<InnerAnswer>;

/** Creates the function with which pages call the endpoints of a catalogue. */
export function operationCaller(endpoints: readonly AnyEndpoint[], deps: CallDeps): CallOperation {
  const byOperation = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  const prepared = new Map<string, InnerEndpoint>();
  const find = (operationId: string): InnerEndpoint => {
    const known = prepared.get(operationId);
    if (known) return known;
    const endpoint = byOperation.get(operationId);
    if (!endpoint) throw new Error(`there is no operation ${operationId}`);
    const found = { endpoint, runner: endpointRunner(endpoint, deps.shell) };
    prepared.set(operationId, found);
    return found;
  };
  return (operationId, sent, principal, body) =>
    callInside(find(operationId), sent, principal, deps, { body });
}

/** A call in place of an HTTP request. */
class InnerRequest implements CallSource, CallProgress {
  readonly headers = {};
  readonly path: RequestParts['path'];
  readonly rawQuery: string;
  readonly requestId: string;
  readonly operation: string;
  principal: CallProgress['principal'];
  rate: CallProgress['rate'];
  sentJson: unknown;
  private failure: unknown;

  constructor(
    private readonly called: InnerEndpoint,
    private readonly parts: RequestParts,
    private readonly sender: Principal,
    private readonly shell: Shell,
    private readonly more: CallParts,
  ) {
    this.path = parts.path;
    this.rawQuery = parts.rawQuery;
    this.requestId = shell.newRequestId();
    this.operation = called.endpoint.operationId;
  }

  get json(): RequestParts['json'] {
    return this.parts.json;
  }

  get carried(): CallProgress['carried'] {
    const { carrier } = this.more;
    if (!carrier) return undefined;
    const { endpoint } = this.called;
    return { method: endpoint.method, url: targetOf(endpoint, this.parts), carrier };
  }

  async run(): Promise<InnerAnswer> {
    const { runner, endpoint } = this.called;
    try {
      const result = await runner.run(this, this);
      if (!(result instanceof Answer)) return this.answer(endpoint.success ?? 200, textOf(result));
      this.failure = result.cause;
      const { status, body, headers } = result;
      if (body instanceof Readable)
        return { ...this.answer(status, '', shownHeaders(headers)), stream: body };
      const isReady = typeof body === 'string' && headers['content-type'] !== undefined;
      return this.answer(status, isReady ? body : textOf(body), shownHeaders(headers));
    } catch (error) {
      return this.refuse(runner.refusal(error, this, this));
    }
  }

  /** The sender is authenticated already: a signature covers the request that carries the call. */
  authenticate(): Promise<Principal> {
    return Promise.resolve(this.sender);
  }

  async readBody(spec: BodySpec<unknown>, faults: Faults): Promise<unknown> {
    if (spec.kind === 'streamed') {
      if (!this.more.body) throw new Error('the endpoint needs a streamed body');
      return this.more.body;
    }
    const { json, body } = checkJson(spec, this.parts.json, faults);
    this.sentJson = json;
    return body;
  }

  seen(status: number, elapsedMs: number): SeenRequest {
    const { requestId, operation, principal, failure, parts } = this;
    const { endpoint } = this.called;
    const url = targetOf(endpoint, parts);
    const { method } = endpoint;
    return { requestId, operation, method, url, status, isCut: false, elapsedMs, principal, failure };
  }

  private answer(status: number, text: string, more: Readonly<Record<string, string>> = {}): InnerAnswer {
    const head: OutgoingHttpHeader[] = ['x-transaction-id', this.requestId];
    if (this.rate !== undefined) appendRate(head, this.rate);
    const headers: Record<string, string> = {};
    for (let at = 0; at < head.length; at += 2) headers[String(head[at])] = String(head[at + 1]);
    return { status, text, headers: { ...headers, ...more }, failure: this.failure };
  }

  private refuse(error: unknown): InnerAnswer {
    const { log, clock } = this.shell;
    this.failure = error;
    const failure = failureOf(error);
    if (isServerFault(failure)) logServerFault(this, error, failure, log);
    const { status, body, headers } = problemOf(failure, clock());
    return this.answer(status, JSON.stringify(body), headers);
  }
}

/** Returns the headers that matter to a client that gets no HTTP answer. */
function shownHeaders({ 'content-type': _type, ...others }: Answer['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
}

/** Returns a body as text. */
function textOf(body: unknown): string {
  if (body === undefined) return '';
  return (body instanceof Buffer ? body : writeJson(body)).toString();
}
