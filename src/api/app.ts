import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createBodyRoom } from '../http/body-room.js';
import { createListener } from '../http/listener.js';
import { requestIds } from '../http/request-ids.js';
import type { AnyEndpoint } from './endpoint.js';
import { type Answering, type RequestObserver, answerOrFail } from '../http/request-listeners.js';
import { type CallDeps, type CallOperation, operationCaller } from './inner-call.js';
import { MCP_PATH, mcpRoute } from './mcp/mcp-route.js';
import type { PlainRoute } from '../http/plain-route.js';
import { metadataRoutes } from './oauth/metadata.js';
import { routeRequests } from './routing.js';
import type { Shell } from './run-endpoint.js';

export interface AppOptions extends Omit<Shell, 'newRequestId' | 'bodyRoom'> {
  readonly endpoints: readonly AnyEndpoint[];
  /** Creates the routes outside the catalogue: pages, assets, OAuth. Pages call endpoints with `call`. */
  readonly plainRoutes?: (call: CallOperation) => readonly PlainRoute[];
  readonly observers?: readonly RequestObserver[];
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Called before the server waits for running requests; ends those without an end. */
  readonly endStreams?: () => void;
  /** Called for each request before any processing. Must not throw. */
  readonly notice?: (request: IncomingMessage) => void;
  /** Called after `notice`, before anything reads the request. Must not throw. */
  readonly record?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Runs the answering of each request. */
  readonly trace?: (
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answering,
  ) => ReturnType<Answering>;
  /** See `CallDeps`. */
  readonly recordCall?: CallDeps['recordCall'];
}

/** The HTTP server. */
export type App = ReturnType<typeof buildApp>;

/**
 * Builds the HTTP server from a catalogue, with its tools at `/mcp`. Throws if two routes collide.
 */
export function buildApp(options: AppOptions) {
  const shell: Shell = { ...options, newRequestId: requestIds(), bodyRoom: createBodyRoom() };
  const { endpoints, observers = [], publicUrl, recordCall } = options;
  const plainRoutes = [
    mcpRoute(endpoints, { shell, observers, recordCall, publicUrl }),
    ...metadataRoutes(endpoints, publicUrl, [MCP_PATH]),
    ...(options.plainRoutes?.(operationCaller(endpoints, { shell, observers })) ?? []),
  ];
  const routes = [...endpoints, ...plainRoutes];
  const route = routeRequests(shell, endpoints, plainRoutes);
  const handle: RequestListener = (request, response) =>
    answerOrFail(shell, response, () => {
      setHeaders(response, shell.headers);
      options.notice?.(request);
      options.record?.(request, response);
      const { trace } = options;
      return trace ? trace(request, response, () => route(request, response)) : route(request, response);
    });
  const listener = createListener(shell, handle, { observers, endStreams: options.endStreams });
  return {
    ...listener,
    /** The dependencies of its endpoints. */
    shell,
    /** The declared routes. */
    routes: routes as readonly Pick<PlainRoute, 'method' | 'path'>[],
    /** Every served path, with its parameters in braces. */
    paths: routes.map(({ path }) => path),
    /** Answers a request of the server; tests call it without a socket. */
    handle,
  };
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>> | undefined): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}
