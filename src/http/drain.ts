import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { lastAnswerOver } from './request-listeners.js';

/** The timeouts for clients of a server that stops. */
export interface DrainTimeouts {
  /** For a next request over an idle connection, whose response asks the client to close it. */
  readonly lingerMs: number;
  /** For running requests. */
  readonly limitMs: number;
}

/** How often connections are checked while a server drains. */
const SWEEP_MS = 20;

/**
 * Returns a function that stops accepting connections and asks clients to close existing ones with the next response
 * (`connection: close`, RFC 9112 9.6). It closes idle connections after `lingerMs` and all others after `limitMs`,
 * and resolves when none is left. Closing an idle connection immediately could abort a request in flight that the
 * server cannot see.
 */
export function createDrain(server: Server): (timeouts: DrainTimeouts) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async ({ lingerMs, limitMs }) => {
    server.prependListener('request', (_request, response: ServerResponse) => askToClose(response));
    for (const socket of sockets) askToClose(lastAnswerOver(socket));
    const startedMs = performance.now();
    const sweep = (): void => {
      const elapsedMs = performance.now() - startedMs;
      if (elapsedMs >= limitMs) server.closeAllConnections();
      else if (elapsedMs >= lingerMs) server.closeIdleConnections();
    };
    sweep();
    const sweeping = setInterval(sweep, SWEEP_MS);
    // The `close` of HTTP servers would close idle connections.
    await new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
    clearInterval(sweeping);
  };
}

function askToClose(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}
