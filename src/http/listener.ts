import cluster from 'node:cluster';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { answerBrokenRequests, type BrokenRequestDeps } from './broken-requests.js';
import { createDrain, type DrainTimeouts } from './drain.js';
import { type RequestObserver, lingerOnClose, observeRequests, whileOpen } from './request-listeners.js';
import { shareBursts } from './share-bursts.js';
import type { HttpShell } from './shell.js';

/** Covers request line and headers; a query of 1,024 characters takes up to 12 KiB percent-encoded. */
const MAX_HEADER_BYTES = 32 * 1024;

/** The time for a client to send its headers, and its whole request unless the body is streamed (`openBody`). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** Exceeds the idle timeout of common proxies (60 s), so that they never reuse a closed connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Closing does not wait for clients that keep connections open after their last answer. */
const CLOSING: DrainTimeouts = { lingerMs: 0, limitMs: 10_000 };

export interface ListenerOptions {
  readonly observers?: readonly RequestObserver[];
  /** Called before the listener waits for running requests; ends those without an end. */
  readonly endStreams?: () => void;
}

/** Creates an HTTP server that answers each request with `handle`. It does not listen yet. */
export function createListener(
  deps: BrokenRequestDeps & Pick<HttpShell, 'log'>,
  handle: RequestListener,
  { observers = [], endStreams }: ListenerOptions = {},
) {
  const server = createHttpServer(deps, handle);
  observeRequests(server, observers, deps.log);
  const wait = createDrain(server);
  const drain = (timeouts: DrainTimeouts): Promise<void> => {
    endStreams?.();
    return wait(timeouts);
  };
  return {
    /** Resolves to the port; port 0 chooses a free one. */
    listen: async ({ host, port }: { readonly host: string; readonly port: number }) => {
      server.listen({ host, port });
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    /** Answers and observes a request that another listener received. */
    receive: (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    },
    /** Ends responses that do not end by themselves. */
    endStreams: () => endStreams?.(),
    /** Stops accepting connections and resolves when clients have closed the open ones; see `createDrain`. */
    drain,
    /** Stops accepting connections, waits up to 10 seconds for running requests, then resolves. */
    close: async () => {
      await drain(CLOSING);
      // Stops the server's timers too.
      server.close();
    },
  };
}

function createHttpServer(deps: BrokenRequestDeps, handle: RequestListener): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    whileOpen(handle),
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // The size of headers is limited already; with a count limit, `node:http` would drop headers silently.
  server.maxHeadersCount = 0;
  answerBrokenRequests(server, deps);
  lingerOnClose(server);
  if (cluster.isWorker) shareBursts(server);
  return server;
}
