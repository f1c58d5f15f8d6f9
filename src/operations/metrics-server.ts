import { once } from 'node:events';
import { createServer } from 'node:http';
import { formatFor, METRICS_TYPES, type MetricsFormat } from './metrics-text.js';

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>;

/** Serves only `/metrics`, on an address that all workers share. Rejects if it cannot listen. */
export async function serveMetrics(
  address: { readonly host: string; readonly port: number },
  text: (format: MetricsFormat) => Promise<string>,
) {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const format = formatFor(request.headers.accept);
    text(format).then(
      (metrics) => response.writeHead(200, { 'content-type': METRICS_TYPES[format] }).end(metrics),
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
