import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The site of an app, reduced to its callback. */
export interface CallbackServer extends AsyncDisposable {
  /** The URL that the app registers. */
  readonly url: string;
  /** The URL of the last callback. */
  lastVisit(): URL | undefined;
}

export async function startCallbackServer(): Promise<CallbackServer> {
  let visited: URL | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') visited = url;
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Client</title><h1>Back at the client</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    lastVisit: () => visited,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
