import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Takes no more connections and tells the clients of those there are to end them, with the next answer
 * (`connection: close`, RFC 9112 9.6). Resolves when all have ended, or after `lingerMs`. Unlike closing it cuts no
 * connection on which a request may be under way, so that clients of one server among several lose none.
 */
export async function retire(server: Server, lingerMs: number): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lingerMs);
    // The `close` of HTTP servers cuts idle connections.
    NetServer.prototype.close.call(server, () => resolve());
  });
  clearTimeout(timer);
}
