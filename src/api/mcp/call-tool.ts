import type { OutgoingHttpHeader } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import type { Principal } from '../../core/access.js';
import { writeJson } from '../../core/wire-json.js';
import { Answer } from '../../http/answer.js';
import { appendRate } from '../../http/exchange.js';
import type { Faults } from '../../http/faults.js';
import { logServerFault } from '../../http/fault-log.js';
import { failureOf, isServerFault, problemOf } from '../../http/problems.js';
import { type RequestObserver, type SeenRequest, showRequest } from '../../http/request-listeners.js';
import type { BodySpec } from '../body/body.js';
import { checkJson } from '../body/check.js';
import type { CallProgress, CallSource, Shell } from '../run-endpoint.js';
import { type RequestParts, type ToolArguments, readArguments, targetOf } from './arguments.js';
import type { Tool } from './tools.js';

/** The response that the request of a tool call would get. */
export interface ToolAnswer {
  readonly status: number;
  /** The body; empty if there is none. */
  readonly text: string;
  /** The headers about limits and the id of the call. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface CallDeps {
  readonly shell: Shell;
  readonly observers: readonly RequestObserver[];
}

/** Runs an endpoint as a tool, with the checks and the log line of its request. Never throws. */
export async function callTool(
  tool: Tool,
  sent: ToolArguments,
  principal: Principal,
  { shell, observers }: CallDeps,
): Promise<ToolAnswer> {
  const startedMs = performance.now();
  const call = new ToolCall(tool, readArguments(tool.endpoint, sent), principal, shell);
  const answer = await call.run();
  showRequest(observers, call.seen(answer.status, performance.now() - startedMs), shell.log);
  return answer;
}

/** A call in place of an HTTP request. */
class ToolCall implements CallSource, CallProgress {
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
    private readonly tool: Tool,
    private readonly parts: RequestParts,
    private readonly sender: Principal,
    private readonly shell: Shell,
  ) {
    this.path = parts.path;
    this.rawQuery = parts.rawQuery;
    this.requestId = shell.newRequestId();
    this.operation = tool.endpoint.operationId;
  }

  async run(): Promise<ToolAnswer> {
    const { runner, endpoint } = this.tool;
    try {
      const result = await runner.run(this, this);
      if (!(result instanceof Answer)) return this.answer(endpoint.success ?? 200, textOf(result));
      this.failure = result.cause;
      return this.answer(result.status, textOf(result.body));
    } catch (error) {
      return this.refuse(runner.refusal(error, this, this));
    }
  }

  /** The sender is authenticated already: a signature covers the request that carries the call. */
  authenticate(): Promise<Principal> {
    return Promise.resolve(this.sender);
  }

  async readBody(spec: BodySpec<unknown>, faults: Faults): Promise<unknown> {
    if (spec.kind === 'streamed') throw new Error('an endpoint with a streamed body is no tool');
    const { json, body } = checkJson(spec, this.parts.json, faults);
    this.sentJson = json;
    return body;
  }

  seen(status: number, elapsedMs: number): SeenRequest {
    const { requestId, operation, principal, failure, parts } = this;
    const { endpoint } = this.tool;
    const url = targetOf(endpoint, parts);
    const { method } = endpoint;
    return { requestId, operation, method, url, status, isCut: false, elapsedMs, principal, failure };
  }

  private answer(status: number, text: string, more: Readonly<Record<string, string>> = {}): ToolAnswer {
    const head: OutgoingHttpHeader[] = ['x-transaction-id', this.requestId];
    if (this.rate !== undefined) appendRate(head, this.rate);
    const headers: Record<string, string> = {};
    for (let at = 0; at < head.length; at += 2) headers[String(head[at])] = String(head[at + 1]);
    return { status, text, headers: { ...headers, ...more } };
  }

  private refuse(error: unknown): ToolAnswer {
    const { log, clock } = this.shell;
    this.failure = error;
    const failure = failureOf(error);
    if (isServerFault(failure)) logServerFault(this, error, failure, log);
    const { status, body, headers } = problemOf(failure, clock());
    return this.answer(status, JSON.stringify(body), headers);
  }
}

/** Returns a body as text. */
function textOf(body: unknown): string {
  if (body instanceof Readable) {
    body.destroy();
    throw new Error('a stream is no answer of a tool');
  }
  if (body === undefined) return '';
  return (body instanceof Buffer ? body : writeJson(body)).toString();
}
