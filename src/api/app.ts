import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  METHODS,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  type InjectOptions,
  fastify,
} from 'fastify';
import type { Authenticator } from '../auth/authenticate.js';
import type { RateLimiter } from '../limits/rate-limit.js';
import type { Clock } from '../core/clock.js';
import { answerBrokenRequests, answerClientError } from '../http/broken-requests.js';
import { createBodyRoom } from '../http/body-room.js';
import type { ApiContext } from './context.js';
import { type DrainTimeouts, createDrain } from '../http/drain.js';
import { pathParameters } from '../http/path-pattern.js';
import { type AnyEndpoint } from './endpoint.js';
import { type ApiLog, Exchange, type ShowProblem } from '../http/exchange.js';
import type { UsageCap } from './guards.js';
import { answerOrFail } from '../http/last-answer.js';
import { type RequestObserver, observeRequests } from '../http/observe-requests.js';
import { missingPaths, notImplementedPage } from './not-implemented/page.js';
import { type PlainRoute, servePlain } from '../http/plain-route.js';
import {
  type Unrouted,
  answerBadPath,
  methodsOf,
  originForm,
  routerPath,
  unroutedAnswerer,
} from './routing.js';
import { reservedSteps } from './reserved-steps.js';
import { referencePage } from './reference/page.js';
import type { PathValues, Serve } from '../http/shell.js';
import { type Shell, serveEndpoint } from './serve-endpoint.js';

/** Covers request line and headers; a query of 1,024 characters takes up to 12 KiB percent-encoded. */
const MAX_HEADER_BYTES = 32 * 1024;

/** The time for a client to send its headers, and its whole request unless the body is streamed (`openBody`). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** Exceeds the idle timeout of common proxies (60 s), so that they never reuse a closed connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Closing does not wait for clients that keep connections open after their last answer. */
const CLOSING: DrainTimeouts = { lingerMs: 0, limitMs: 10_000 };

export interface AppOptions {
  readonly endpoints: readonly AnyEndpoint[];
  /** Routes outside the catalogue: pages, assets, OAuth. */
  readonly plainRoutes?: readonly PlainRoute[];
  readonly context: ApiContext;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly usageCap?: UsageCap;
  readonly log: ApiLog;
  readonly clock: Clock;
  /** See `Shell`. */
  readonly catchUp?: () => Promise<void> | undefined;
  readonly showProblem?: ShowProblem;
  /** See `Shell`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly observers?: readonly RequestObserver[];
  /** Called for each request before any processing. Must not throw. */
  readonly notice?: (request: IncomingMessage) => void;
}

export interface InjectedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON with the matching content type. */
  readonly payload?: string | Buffer | object;
}

export interface InjectedAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
  readonly rawPayload: Buffer;
  json<T = unknown>(): T;
}

/** The HTTP server. */
export interface App {
  /** The declared routes. */
  readonly routes: readonly Pick<PlainRoute, 'method' | 'path'>[];
  /** Resolves to the port; port 0 chooses a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Stops accepting connections and resolves when clients have closed the open ones; see `createDrain`. */
  drain(timeouts: DrainTimeouts): Promise<void>;
  /** Stops accepting connections, waits up to 10 seconds for running requests, then resolves. */
  close(): Promise<void>;
  /** Every served path, with its parameters in braces. */
  readonly paths: readonly string[];
  /** Answers a request without a socket, for tests. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>;
}

/** Builds the HTTP server from a catalogue, with its reference page at `/docs`. Throws if two routes collide. */
export function buildApp(options: AppOptions): App {
  const shell: Shell = { ...options, newRequestId: requestIds(), bodyRoom: createBodyRoom() };
  const app = createFastify(shell);
  observeRequests(app.server, options.observers ?? [], shell.log);
  app.addHook('onRequest', ({ raw }, reply, done) => {
    setHeaders(reply.raw, shell.headers);
    options.notice?.(raw);
    done();
  });
  const drain = createDrain(app.server);
  const { endpoints } = options;
  const plainRoutes = [referencePage(endpoints), notImplementedPage(), ...(options.plainRoutes ?? [])];
  const reserved = reservedSteps([...endpoints.map(({ path }) => path), ...missingPaths()]);
  const unrouted = unroutedAnswerer(shell, [...endpoints, ...plainRoutes], reserved);
  for (const endpoint of endpoints) {
    addRoute(app, shell, endpoint, serveEndpoint(endpoint, shell), unrouted, reserved(endpoint.path));
  }
  for (const route of plainRoutes) addRoute(app, shell, route, servePlain(route, shell), unrouted);
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    answerOrFail(shell, reply.raw, () => unrouted(request.raw, reply.raw));
  });
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    answerOrFail(shell, reply.raw, () => {
      const exchange = new Exchange(reply.raw, shell.newRequestId(), request.url, 'problem');
      exchange.fail(error, shell.clock, shell.log);
    });
  });
  return {
    routes: [...endpoints, ...plainRoutes],
    listen: async ({ host, port }) => {
      await app.ready();
      // Fastify's `listen` opens a separate server without this setup for each address of `localhost`.
      app.server.listen({ host, port });
      await once(app.server, 'listening');
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    drain,
    close: async () => {
      await drain(CLOSING);
      // Stops the server's timers too, which Fastify leaves running for a custom server.
      app.server.close();
      await app.close();
    },
    paths: [...endpoints, ...plainRoutes].map(({ path }) => path),
    inject: (request) => app.inject(request as InjectOptions),
  };
}

function createFastify(shell: Shell): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    serverFactory: (handle) => createHttpServer(shell, handle as RequestListener),
    logger: false,
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      // `params/read-params.ts` parses queries.
      querystringParser: () => NO_QUERY,
    },
    rewriteUrl: ({ url = '/' }) => originForm(url),
    exposeHeadRoutes: false,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      answerOrFail(shell, reply.raw, () => {
        setHeaders(reply.raw, shell.headers);
        answerBadPath(shell, request.raw, reply.raw);
      });
    },
    clientErrorHandler: (error, socket) => answerClientError(shell, error, socket),
  };
  const app = fastify(options);
  answerBrokenRequests(app.server, shell);
  // `body/read-body.ts` reads bodies of any content type after authentication, so Fastify must not parse them.
  for (const method of METHODS) {
    if (method !== 'GET' && method !== 'HEAD') {
      app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
    }
  }
  return app;
}

function createHttpServer(shell: Shell, handle: RequestListener): Server {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false };
  const server = createServer(limits, (request, response) => {
    answerOrFail(shell, response, () => handle(request, response));
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // The size of headers is limited already; with a count limit, `node:http` would drop headers silently.
  server.maxHeadersCount = 0;
  return server;
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>> | undefined): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

const NO_QUERY: Record<string, never> = Object.freeze({});

function addRoute(
  app: FastifyInstance,
  shell: Shell,
  route: AnyEndpoint | PlainRoute,
  serve: Serve,
  unrouted: Unrouted,
  reserved: ReadonlySet<string> = new Set(),
): void {
  const { method, path } = route;
  const names = pathParameters(path);
  const lastName = names.at(-1) ?? '';
  const takes = 'takes' in route ? route.takes : undefined;
  app.route({
    method: methodsOf(method) as HTTPMethods[],
    url: routerPath(path),
    // The handler writes to the raw response; Fastify would wait for a returned promise.
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const values = request.params as PathValues;
      // The router lets `/2/tweets/` match `/2/tweets/{id}`.
      const isUnknown =
        names.some((name) => values[name] === '') ||
        reserved.has(values[lastName] ?? '') ||
        takes?.(values) === false;
      answerOrFail(shell, reply.raw, () =>
        isUnknown ? unrouted(request.raw, reply.raw) : serve(request.raw, reply.raw, values),
      );
    },
  });
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
