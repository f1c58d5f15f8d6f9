import { once } from 'node:events';
import { createServer } from 'node:http';
import { METRICS_TYPE } from '../core/metrics.js';

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>;

/** Serves only `/metrics`, on an address that all workers share. Rejects if it cannot listen. */
export async function serveMetrics(
  address: { readonly host: string; readonly port: number },
  text: () => Promise<string>,
) {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (metrics) => response.writeHead(200, { 'content-type': METRICS_TYPE }).end(metrics),
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
