import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Principal } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import { Answer } from '../http/answer.js';
import { Faults } from '../http/faults.js';
import type { CarriedRequest, HttpShell, PathValues } from '../http/shell.js';
import type { Authenticator } from '../auth/authenticate.js';
import type { EndpointLimiter, RateLimiter, RateLimitState } from '../limits/rate-limit.js';
import type { Envelope } from '../views/includes.js';
import { inNewerNames } from '../views/newer-names.js';
import type { BodySpec } from './body/body.js';
import type { ApiContext } from './context.js';
import type { AnyEndpoint, CredentialRules } from './endpoint.js';
import { type UsageCap, authorize, requireOwnId } from './guards.js';
import { type Input, type ParamReader, paramReader } from './params/read-params.js';
import { withIdAsSent } from './sent-ids.js';

/** The dependencies for answering endpoints. */
export interface Shell extends HttpShell {
  readonly context: ApiContext;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly usageCap?: UsageCap;
}

/** What brings a call to an endpoint: an HTTP request, or a tool call (docs/api/mcp.md). */
export interface CallSource {
  readonly headers: IncomingHttpHeaders;
  /** The address of the other side, which may be a proxy; absent for a tool. */
  readonly remoteAddress?: string;
  /** The path parameters as sent. */
  readonly path: PathValues;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  /** Returns the sender. Throws as `Authenticator.authenticate` does. */
  authenticate(): Promise<Principal>;
  /** Reads the declared body and reports its faults. Sets `sentJson`. Throws the errors of `readBody`. */
  readBody(spec: BodySpec<unknown>, faults: Faults, progress: CallProgress): Promise<unknown>;
}

/** How far a call has come: what its answer and the log need, also when it is refused. */
export interface CallProgress {
  readonly requestId: string;
  principal: Principal | undefined;
  rate: RateLimitState | undefined;
  /** The parsed body, for endpoints that take JSON. */
  sentJson: unknown;
  /** Absent for a call inside the server. */
  readonly response?: ServerResponse;
  /** See `CheckedCall`. */
  readonly carried?: CarriedRequest;
}

export type EndpointRunner = ReturnType<typeof endpointRunner>;

interface Route {
  readonly endpoint: AnyEndpoint;
  readonly readParams: ParamReader;
  readonly limiter: EndpointLimiter;
}

/**
 * Creates the functions that run a declared endpoint, with one order of checks for all
 * (docs/api/errors.md#order-of-checks): authentication, context, track, permission or scope, rate limit, parameters
 * and body, own id, usage cap, handler.
 */
export function endpointRunner(endpoint: AnyEndpoint, shell: Shell) {
  const route: Route = {
    endpoint,
    readParams: paramReader(endpoint.params ?? {}, endpoint),
    limiter: shell.limiter.of(endpoint.operationId, endpoint.rateLimits ?? [], endpoint.method),
  };
  return {
    /** Checks the call and returns the handler's result. */
    run: (source: CallSource, progress: CallProgress) => run(route, shell, source, progress),
    /** Returns the error to answer for what `run` threw, and completes the rate-limit state. */
    refusal: (error: unknown, { path, rawQuery }: CallSource, progress: CallProgress): unknown => {
      // Unauthenticated requests have used no limit, but their answers have the headers too.
      if (progress.principal === undefined) progress.rate = route.limiter.untouched();
      return withIdAsSent(error, { rawPath: path, rawQuery }, progress.sentJson);
    },
  };
}

async function run(route: Route, shell: Shell, source: CallSource, progress: CallProgress): Promise<unknown> {
  const { endpoint } = route;
  const { access } = endpoint;
  const { path, rawQuery } = source;
  const behind = shell.catchUp?.();
  // Awaiting undefined would cost a turn of the microtask queue.
  if (behind) await behind;
  if (access !== 'public') {
    const principal = await source.authenticate();
    progress.principal = principal;
    shell.usageCap?.countRequest(principal.app);
    admit(route.limiter, access, principal, progress);
  }
  const { params, isNewer, body } = await readInput(route, source, progress);
  if (access !== 'public' && access.ownId !== undefined && progress.principal) {
    const { ownId } = access;
    requireOwnId(ownId, params[ownId], path[ownId] ?? '', progress.principal);
  }
  const call = {
    principal: progress.principal,
    params,
    body: body as undefined,
    rawQuery,
    rawPath: path,
    headers: source.headers,
    remoteAddress: source.remoteAddress,
    requestId: progress.requestId,
  } as Parameters<AnyEndpoint['handler']>[1];
  const handled = { endpoint, shell, call, principal: progress.principal, isNewer };
  if (shell.around === undefined) return handle(handled);
  const { operationId: operation, errorStyle = 'problem', streams: isStream } = endpoint;
  return shell.around({ operation, errorStyle, isStream, progress }, () => handle(handled));
}

interface HandledCall {
  readonly endpoint: AnyEndpoint;
  readonly shell: Shell;
  readonly call: Parameters<AnyEndpoint['handler']>[1];
  readonly principal: Principal | undefined;
  readonly isNewer: boolean;
}

function handle({ endpoint, shell, call, principal, isNewer }: HandledCall): Promise<unknown> {
  const answering =
    endpoint.capped === true
      ? runCapped(endpoint, shell, call, principal)
      : endpoint.handler(shell.context, call);
  return isNewer ? answering.then((envelope) => inNewerNames(envelope as Envelope<unknown>)) : answering;
}

function admit(
  limiter: EndpointLimiter,
  rules: CredentialRules,
  principal: Principal,
  progress: CallProgress,
): void {
  // Counts the call before authorizing it, so that refusals have the rate-limit headers too; a refused permission
  // still takes precedence over a reached limit.
  progress.rate = limiter.take(principal);
  authorize(rules, principal);
  if (progress.rate?.allowed === false) {
    throw new PipitError({ code: 'rate-limited', retryAtMs: progress.rate.retryAtMs });
  }
}

async function readInput(
  { endpoint, readParams }: Route,
  source: CallSource,
  progress: CallProgress,
): Promise<Input & { readonly body: unknown }> {
  const faults = new Faults();
  const { params, isNewer } = readParams(source.rawQuery, source.path, faults);
  const spec = endpoint.body;
  const body = spec === undefined ? undefined : await source.readBody(spec, faults, progress);
  faults.throwIfAny();
  return { params, isNewer, body };
}

async function runCapped(
  endpoint: AnyEndpoint,
  shell: Shell,
  call: Parameters<AnyEndpoint['handler']>[1],
  principal: Principal | undefined,
): Promise<unknown> {
  const { usageCap } = shell;
  if (usageCap === undefined || principal === undefined) return endpoint.handler(shell.context, call);
  const asking = usageCap.require(principal.app);
  if (asking) await asking;
  const result = await endpoint.handler(shell.context, call);
  const postIds = idsOfData(result instanceof Answer ? result.body : result);
  if (postIds.length > 0) usageCap.record(principal.app, postIds);
  return result;
}

/** Returns the ids of the objects in `data`, whether it is one or a list. */
export function idsOfData(body: unknown): readonly string[] {
  const data = (body as { readonly data?: unknown } | undefined)?.data;
  const items: readonly unknown[] = Array.isArray(data) ? data : data === undefined ? [] : [data];
  return items.map((item) => (item as { readonly id: string }).id);
}
