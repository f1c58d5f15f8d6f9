import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, PipitError } from '../core/errors.js';
import { DEFAULT_MAX_BODY_BYTES } from '../http/read-body.js';
import type { Serve } from '../http/shell.js';
import type { AnyEndpoint } from './endpoint.js';
import { Exchange } from '../http/exchange.js';
import { MISSING_OPERATIONS } from './not-implemented/operations.js';
import { type PlainRoute, servePlain, wantsPage } from '../http/plain-route.js';
import { Router } from '../http/router.js';
import { hasV1Errors } from '../http/problems-v1.js';
import { authRequestOf, readForm } from '../http/request-parts.js';
import type { Shell } from './run-endpoint.js';
import { serveEndpoint } from './serve-endpoint.js';

/**
 * Returns path and query of a request target. Clients that use this server as a proxy send the absolute form (RFC
 * 9112 3.2.2); other forms (`*`) become a path without a route.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A route as the router finds it. */
interface Target {
  readonly serve: Serve;
  /** See `PlainRoute`. */
  readonly takes?: PlainRoute['takes'];
  /** True for operations that are not implemented. */
  readonly isMissing?: true;
}

type Answering = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Returns a function that answers each request by its route. Throws if two routes collide. */
export function routeRequests(
  shell: Shell,
  endpoints: readonly AnyEndpoint[],
  plainRoutes: readonly PlainRoute[],
): Answering {
  const router = new Router<Target>();
  for (const endpoint of endpoints) {
    router.add(endpoint.method, endpoint.path, {
      serve: prepareAtFirstUse(() => serveEndpoint(endpoint, shell)),
    });
  }
  for (const route of plainRoutes) {
    router.add(route.method, route.path, { serve: servePlain(route, shell), takes: route.takes });
  }
  for (const operation of MISSING_OPERATIONS.flatMap(({ operations }) => operations)) {
    const failure: Failure = { code: 'not-implemented', operation };
    const serve: Serve = (request, response) => answerUnserved(shell, failure, request, response);
    router.add(operation.method, operation.path, { serve, isMissing: true });
  }
  return (request, response) => {
    request.url = originForm(request.url ?? '/');
    try {
      const { method = '', url } = request;
      const found = router.find(method === 'HEAD' ? 'GET' : method, pathIn(url));
      if (found && found.target.takes?.(found.values) !== false) {
        return found.target.serve(request, response, found.values);
      }
      return answerUnserved(shell, unrouted(router, method, pathIn(url)), request, response);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      return answerBadPath(shell, request, response);
    }
  };
}

/** Prepares an endpoint when its first request arrives: a process uses few of several hundred. */
function prepareAtFirstUse(prepare: () => Serve): Serve {
  let serve: Serve | undefined;
  return (request, response, values) => (serve ??= prepare())(request, response, values);
}

/** Returns the failure of a path without a route: 405 if it has other methods, otherwise 404. */
function unrouted(router: Router<Target>, method: string, path: string): Failure {
  const served = router.targets(path).filter(([, { takes, isMissing }]) => !takes && !isMissing);
  const allowed = served.flatMap(([other]) => (other === 'GET' ? ['GET', 'HEAD'] : [other]));
  const isOtherMethod = allowed.length > 0 && !allowed.includes(method);
  return isOtherMethod ? { code: 'method-not-allowed', allowed } : { code: 'route-not-found' };
}

/** Answers a request that no route serves. */
async function answerUnserved(
  shell: Shell,
  failure: Failure,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (hasV1Errors(pathOf(request))) return answerV1(shell, failure, request, response);
  return answerFailure(shell, failure, request, response);
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

/** Answers a request whose path has invalid percent-encoding or UTF-8. */
function answerBadPath(shell: Shell, request: IncomingMessage, response: ServerResponse): void {
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
  return pathIn(request.url ?? '/');
}

function pathIn(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
