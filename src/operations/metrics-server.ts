import { once } from 'node:events';
import { createServer } from 'node:http';
import type { MetricsPage } from './metrics-pages.js';

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>;

/** Serves only these pages, on an address that all workers share. Rejects if it cannot listen. */
export async function serveMetrics(
  address: { readonly host: string; readonly port: number },
  pages: readonly MetricsPage[],
) {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    const page = pages.find((each) => each.path === path);
    if (page === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    page.read(request.headers.accept).then(
      ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
