import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, PipitError } from '../core/errors.js';
import { DEFAULT_MAX_BODY_BYTES } from '../http/read-body.js';
import type { Method } from '../http/shell.js';
import type { AnyEndpoint } from './endpoint.js';
import { Exchange } from '../http/exchange.js';
import { missingOperationFinder } from './not-implemented/find-operation.js';
import { pathPattern } from '../http/path-pattern.js';
import type { PlainRoute } from '../http/plain-route.js';
import type { ReservedSteps } from './reserved-steps.js';
import { hasV1Errors } from '../http/problems-v1.js';
import { authRequestOf, readForm } from '../http/sent-credentials.js';
import type { Shell } from './serve-endpoint.js';
import { wantsPage } from '../http/wants-page.js';

/** Converts `/2/tweets/{id}` to the syntax of the router: `/2/tweets/:id`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{([^{}]+)\}/g, ':$1');
}

/**
 * Returns path and query of a request target. Clients that use this server as a proxy send the absolute form (RFC
 * 9112 3.2.2); other forms (`*`) become a path without a route.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the methods of a route: GET includes HEAD. */
export function methodsOf(method: Method): (Method | 'HEAD')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Answers a request without a route. */
export type Unrouted = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/**
 * Answers 404, or 405 if the path has other methods; names known operations that are not implemented. Slow, but runs
 * only for requests without a route.
 */
export function unroutedAnswerer(
  shell: Shell,
  routes: readonly (AnyEndpoint | PlainRoute)[],
  reserved: ReservedSteps,
): Unrouted {
  const patterns = routes.filter(isOwnPath).map(({ method, path }) => ({
    method,
    pattern: pathPattern(path),
    reserved: reserved(path),
  }));
  const findMissing = missingOperationFinder();
  const failureOf = (method: string, path: string): Failure => {
    const operation = findMissing(method, path);
    if (operation) return { code: 'not-implemented', operation };
    const last = path.slice(path.lastIndexOf('/') + 1);
    const matching = patterns.filter((route) => route.pattern.test(path) && !route.reserved.has(last));
    const allowed = [...new Set<string>(matching.flatMap((route) => methodsOf(route.method)))];
    const isOtherMethod = allowed.length > 0 && !allowed.includes(method);
    return isOtherMethod ? { code: 'method-not-allowed', allowed } : { code: 'route-not-found' };
  };
  return (request, response) => {
    const path = pathOf(request);
    const failure = failureOf(request.method ?? '', path);
    if (hasV1Errors(path)) return answerV1(shell, failure, request, response);
    return answerFailure(shell, failure, request, response);
  };
}

/**
 * Answers unknown v1.1 requests: apps of Essential access may not use any path of v1.1
 * (docs/api/authentication.md#levels-and-tracks).
 */
async function answerV1(
  shell: Shell,
  failure: Failure,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = unroutedExchange(shell, request, response);
  try {
    await shell.catchUp?.();
    const form = await readForm(request, DEFAULT_MAX_BODY_BYTES, shell.bodyRoom);
    exchange.principal = await shell.authenticator.authenticate(authRequestOf(request, form));
    const { accessLevel, clientId } = exchange.principal.app;
    throw new PipitError(accessLevel === 'essential' ? { code: 'access-level-too-low', clientId } : failure);
  } catch (error) {
    exchange.fail(error, shell.clock, shell.log);
  }
}

/** Returns false for a route whose path also matches unknown paths. */
function isOwnPath(route: AnyEndpoint | PlainRoute): boolean {
  return !('takes' in route) || route.takes === undefined;
}

/** Answers a request whose path has invalid percent-encoding or UTF-8. */
export function answerBadPath(shell: Shell, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request);
  const message = `The request path [${path}] is not valid`;
  answerFailure(
    shell,
    { code: 'invalid-request', violations: [{ parameters: { path: [path] }, message }] },
    request,
    response,
  );
}

function answerFailure(
  shell: Shell,
  failure: Failure,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const show = wantsPage(request) ? shell.showProblem : undefined;
  unroutedExchange(shell, request, response).fail(new PipitError(failure), shell.clock, shell.log, show);
}

function unroutedExchange(shell: Shell, request: IncomingMessage, response: ServerResponse): Exchange {
  const style = hasV1Errors(pathOf(request)) ? 'v1' : 'problem';
  return new Exchange(response, shell.newRequestId(), 'unrouted', style);
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
