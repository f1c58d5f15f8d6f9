import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { answerBrokenRequests } from '../http/broken-requests.js';
import { createBodyRoom } from '../http/body-room.js';
import { type DrainTimeouts, createDrain } from '../http/drain.js';
import type { AnyEndpoint } from './endpoint.js';
import {
  type RequestObserver,
  answerOrFail,
  lingerOnClose,
  observeRequests,
  whileOpen,
} from '../http/request-listeners.js';
import { MCP_PATH, mcpRoute } from './mcp/mcp-route.js';
import { notImplementedPage } from './not-implemented/page.js';
import type { PlainRoute } from '../http/plain-route.js';
import { metadataRoutes } from './oauth/metadata.js';
import { routeRequests } from './routing.js';
import { referencePage } from './reference/page.js';
import type { Shell } from './run-endpoint.js';

/** Covers request line and headers; a query of 1,024 characters takes up to 12 KiB percent-encoded. */
const MAX_HEADER_BYTES = 32 * 1024;

/** The time for a client to send its headers, and its whole request unless the body is streamed (`openBody`). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** Exceeds the idle timeout of common proxies (60 s), so that they never reuse a closed connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Closing does not wait for clients that keep connections open after their last answer. */
const CLOSING: DrainTimeouts = { lingerMs: 0, limitMs: 10_000 };

export interface AppOptions extends Omit<Shell, 'newRequestId' | 'bodyRoom'> {
  readonly endpoints: readonly AnyEndpoint[];
  /** Routes outside the catalogue: pages, assets, OAuth. */
  readonly plainRoutes?: readonly PlainRoute[];
  readonly observers?: readonly RequestObserver[];
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Called before the server waits for running requests; ends those without an end. */
  readonly endStreams?: () => void;
  /** Called for each request before any processing. Must not throw. */
  readonly notice?: (request: IncomingMessage) => void;
}

/** The HTTP server. */
export type App = ReturnType<typeof buildApp>;

/**
 * Builds the HTTP server from a catalogue, with its reference page at `/docs` and its tools at `/mcp`. Throws if two
 * routes collide.
 */
export function buildApp(options: AppOptions) {
  const shell: Shell = { ...options, newRequestId: requestIds(), bodyRoom: createBodyRoom() };
  const { endpoints, observers = [], publicUrl } = options;
  const plainRoutes = [
    referencePage(endpoints),
    notImplementedPage(),
    mcpRoute(endpoints, { shell, observers, publicUrl }),
    ...metadataRoutes(endpoints, publicUrl, [MCP_PATH]),
    ...(options.plainRoutes ?? []),
  ];
  const routes = [...endpoints, ...plainRoutes];
  const route = routeRequests(shell, endpoints, plainRoutes);
  const handle: RequestListener = (request, response) =>
    answerOrFail(shell, response, () => {
      setHeaders(response, shell.headers);
      options.notice?.(request);
      return route(request, response);
    });
  const server = createHttpServer(shell, handle);
  observeRequests(server, observers, shell.log);
  const wait = createDrain(server);
  const drain = (timeouts: DrainTimeouts): Promise<void> => {
    options.endStreams?.();
    return wait(timeouts);
  };
  return {
    /** The declared routes. */
    routes: routes as readonly Pick<PlainRoute, 'method' | 'path'>[],
    /** Resolves to the port; port 0 chooses a free one. */
    listen: async ({ host, port }: { readonly host: string; readonly port: number }) => {
      server.listen({ host, port });
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    /** Stops accepting connections and resolves when clients have closed the open ones; see `createDrain`. */
    drain,
    /** Stops accepting connections, waits up to 10 seconds for running requests, then resolves. */
    close: async () => {
      await drain(CLOSING);
      // Stops the server's timers too.
      server.close();
    },
    /** Every served path, with its parameters in braces. */
    paths: routes.map(({ path }) => path),
    /** Answers a request of the server; tests call it without a socket. */
    handle,
  };
}

function createHttpServer(shell: Shell, handle: RequestListener): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    whileOpen(handle),
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // The size of headers is limited already; with a count limit, `node:http` would drop headers silently.
  server.maxHeadersCount = 0;
  answerBrokenRequests(server, shell);
  lingerOnClose(server);
  return server;
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>> | undefined): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

/** Creates ids of sixteen hexadecimal digits, unique in this process and very likely across processes. */
function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count = (count + 1) % 0x1_0000_0000;
    return prefix + count.toString(16).padStart(8, '0');
  };
}
