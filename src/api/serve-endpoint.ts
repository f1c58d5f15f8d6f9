import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Authenticator } from '../auth/authenticate.js';
import type { EndpointLimiter, RateLimiter } from '../limits/rate-limit.js';
import type { Principal } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import type { BodySpec } from './body/body.js';
import { checkJsonBody } from './body/check.js';
import { openBody, readBody, DEFAULT_MAX_BODY_BYTES } from '../http/read-body.js';
import type { ApiContext } from './context.js';
import { Answer } from '../http/answer.js';
import type { AnyEndpoint, CredentialRules } from './endpoint.js';
import { Exchange } from '../http/exchange.js';
import type { HttpShell, PathValues, Serve } from '../http/shell.js';
import { queryOf } from '../auth/auth-request.js';
import { Faults } from '../http/faults.js';
import { type UsageCap, authorize, requireOwnId } from './guards.js';
import { type ParamReader, paramReader } from './params/read-params.js';
import { authRequestOf, readForm, requireSingleHeaders } from '../http/request-parts.js';
import { withIdAsSent } from './sent-ids.js';

/** The dependencies for answering endpoints. */
export interface Shell extends HttpShell {
  readonly context: ApiContext;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly usageCap?: UsageCap;
}

interface Route {
  readonly endpoint: AnyEndpoint;
  readonly readParams: ParamReader;
  readonly limiter: EndpointLimiter;
}

/**
 * Creates the function that serves a declared endpoint, with one order of checks for all
 * (docs/api/errors.md#order-of-checks): authentication, context, track, permission or scope, rate limit, parameters
 * and body, own id, usage cap, handler.
 */
export function serveEndpoint(endpoint: AnyEndpoint, shell: Shell): Serve {
  const route: Route = {
    endpoint,
    readParams: paramReader(endpoint.params ?? {}, endpoint),
    limiter: shell.limiter.of(endpoint.operationId, endpoint.rateLimits ?? []),
  };
  const style = endpoint.errorStyle ?? 'problem';
  return async (request, response, path) => {
    const exchange = new Exchange(response, shell.newRequestId(), endpoint.operationId, style);
    try {
      requireSingleHeaders(request.rawHeaders);
      const result = await run(route, shell, request, path, exchange);
      exchange.answer(endpoint.success ?? 200, result, shell.log);
    } catch (error) {
      // Unauthenticated requests have used no limit, but their answers have the headers too.
      if (exchange.principal === undefined) exchange.rate = route.limiter.untouched();
      const sent = { rawPath: path, rawQuery: queryOf(request.url ?? '') };
      exchange.fail(withIdAsSent(error, sent, exchange.sentJson), shell.clock, shell.log);
    }
  };
}

async function run(
  route: Route,
  shell: Shell,
  request: IncomingMessage,
  path: PathValues,
  exchange: Exchange,
): Promise<unknown> {
  const { endpoint } = route;
  const { access } = endpoint;
  const form = await readForm(request, maxBodyBytes(endpoint.body), shell.bodyRoom);
  const behind = shell.catchUp?.();
  // Awaiting undefined would cost a turn of the microtask queue.
  if (behind) await behind;
  if (access !== 'public') {
    const principal = await shell.authenticator.authenticate(authRequestOf(request, form));
    exchange.principal = principal;
    shell.usageCap?.countRequest(principal.app);
    admit(route.limiter, access, principal, exchange);
  }
  const rawQuery = queryOf(request.url ?? '');
  const { params, body } = await readInput(route, shell, request, rawQuery, path, form, exchange);
  if (access !== 'public' && access.ownId !== undefined && exchange.principal) {
    const { ownId } = access;
    requireOwnId(ownId, params[ownId], path[ownId] ?? '', exchange.principal);
  }
  const call = {
    principal: exchange.principal,
    params,
    body: body as undefined,
    rawQuery,
    rawPath: path,
    headers: request.headers,
    requestId: exchange.requestId,
  } as Parameters<AnyEndpoint['handler']>[1];
  if (endpoint.capped !== true) return endpoint.handler(shell.context, call);
  return runCapped(endpoint, shell, call, exchange.principal);
}

function admit(
  limiter: EndpointLimiter,
  rules: CredentialRules,
  principal: Principal,
  exchange: Exchange,
): void {
  // Counts the call before authorizing it, so that refusals have the rate-limit headers too; a refused permission
  // still takes precedence over a reached limit.
  exchange.rate = limiter.take(principal);
  authorize(rules, principal);
  if (exchange.rate?.allowed === false) {
    throw new PipitError({ code: 'rate-limited', retryAtMs: exchange.rate.retryAtMs });
  }
}

async function readInput(
  route: Route,
  { bodyRoom }: Shell,
  request: IncomingMessage,
  rawQuery: string,
  path: PathValues,
  form: Buffer | undefined,
  exchange: Exchange,
): Promise<{ readonly params: Record<string, unknown>; readonly body: unknown }> {
  const faults = new Faults();
  const params = route.readParams(rawQuery, path, faults);
  const spec = route.endpoint.body;
  let body: unknown;
  const contentType = request.headers['content-type'];
  if (spec?.kind === 'streamed') {
    const chunks = form ? Readable.from([form]) : openBody(request, spec.maxBytes);
    body = { contentType: contentType ?? '', chunks, hold: bodyRoom.hold };
  } else if (spec !== undefined) {
    const bytes = form ?? (await readBody(request, spec.maxBytes, bodyRoom));
    ({ json: exchange.sentJson, body } = checkJsonBody(spec, contentType, bytes, faults));
  }
  faults.throwIfAny();
  return { params, body };
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

function idsOfData(body: unknown): readonly string[] {
  const data = (body as { readonly data?: unknown } | undefined)?.data;
  const items: readonly unknown[] = Array.isArray(data) ? data : data === undefined ? [] : [data];
  return items.map((item) => (item as { readonly id: string }).id);
}

function maxBodyBytes(body: BodySpec<unknown> | undefined): number {
  return body?.kind === 'json' ? body.maxBytes : DEFAULT_MAX_BODY_BYTES;
}
