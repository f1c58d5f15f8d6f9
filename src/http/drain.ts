import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { lastAnswerOver } from './broken-requests.js';

/** How long the clients of a server that ends have. */
export interface DrainTimeouts {
  /** To send a next request over a connection, and so to be told to leave it. */
  readonly lingerMs: number;
  /** To be done with the requests under way. */
  readonly limitMs: number;
}

/** How often connections are looked at while a server drains. */
const SWEEP_MS = 20;

/**
 * Returns a function that takes no more connections and tells the clients of those there are to end them, with the next
 * answer (`connection: close`, RFC 9112 9.6). Connections that are idle after `lingerMs` are ended, all others after
 * `limitMs`; it resolves when none is left. Ending an idle connection at once would cut off the request that is on its
 * way over it: a server cannot know of that one.
 */
export function createDrain(server: Server): (patience: DrainTimeouts) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async ({ lingerMs, limitMs }) => {
    server.prependListener('request', (_request, response: ServerResponse) => askToLeave(response));
    for (const socket of sockets) askToLeave(lastAnswerOver(socket));
    const startedMs = performance.now();
    const sweep = (): void => {
      const elapsedMs = performance.now() - startedMs;
      if (elapsedMs >= limitMs) server.closeAllConnections();
      else if (elapsedMs >= lingerMs) server.closeIdleConnections();
    };
    sweep();
    const sweeping = setInterval(sweep, SWEEP_MS);
    // The `close` of HTTP servers cuts idle connections.
    await new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
    clearInterval(sweeping);
  };
}

function askToLeave(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}
