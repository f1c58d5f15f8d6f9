import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnyEndpoint } from '../api/endpoint.js';
import { originForm, routeRequests } from '../api/routing.js';
import type { Shell } from '../api/run-endpoint.js';
import { PipitError } from '../core/errors.js';
import { Exchange } from '../http/exchange.js';
import type { PlainRoute } from '../http/plain-route.js';
import { answerOrFail } from '../http/request-listeners.js';
import { SANDBOX_PATH } from './operation.js';

/** Answers a request, or lets `next` do so. */
export type RequestLayer = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void | Promise<void>,
) => void | Promise<void>;

export interface FrontOptions {
  readonly shell: Shell;
  /** The operations of the sandbox. */
  readonly endpoints: readonly AnyEndpoint[];
  readonly plainRoutes?: readonly PlainRoute[];
  /** Throws PipitError for a request that may not control the sandbox. */
  readonly guard: (request: IncomingMessage) => void;
  /** What happens to every other request, outermost first; the last one passes it to the server. */
  readonly layers: readonly RequestLayer[];
}

/** Creates the listener in front of a sandbox's server, which answers the paths of the sandbox itself. */
export function createFront({
  shell,
  endpoints,
  plainRoutes = [],
  guard,
  layers,
}: FrontOptions): RequestListener {
  const route = routeRequests(shell, endpoints, plainRoutes);
  const answer = (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    try {
      guard(request);
    } catch (error) {
      if (error instanceof PipitError && error.failure.code === 'unauthorized') {
        response.setHeader('www-authenticate', CHALLENGE);
      }
      const exchange = new Exchange(response, shell.newRequestId(), 'sandbox', 'problem');
      return exchange.fail(error, shell.clock, shell.log);
    }
    // The state is at `/` of the sandbox, with or without the slash.
    if (originForm(request.url ?? '') === `${SANDBOX_PATH}/`) request.url = SANDBOX_PATH;
    return route(request, response);
  };
  const pass = (request: IncomingMessage, response: ServerResponse, index = 0): void | Promise<void> =>
    layers[index]?.(request, response, () => pass(request, response, index + 1));
  return (request, response) =>
    answerOrFail(shell, response, () => {
      const url = request.url ?? '';
      if (isOfSandbox(url)) return answer(request, response);
      return isAsset(url) ? route(request, response) : pass(request, response);
    });
}

/** Reports whether a path is that of a file that pages load: such requests are not recorded and get no faults. */
function isAsset(url: string): boolean {
  return originForm(url).startsWith('/assets/');
}

/** Makes a browser ask for the key as a password; the name may be anything. */
const CHALLENGE = 'Basic realm="Pipit sandbox: the password is its key", charset="UTF-8"';

function isOfSandbox(url: string): boolean {
  const path = originForm(url);
  return path.startsWith(SANDBOX_PATH) && /^(?:[/?]|$)/.test(path.slice(SANDBOX_PATH.length));
}
