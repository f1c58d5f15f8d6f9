import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { connectToEach, send, startCluster } from './support/cluster.js';

/** Processes compile the sources at start. */
vi.setConfig({ testTimeout: 120_000 });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('metrics of several workers have a separate address and include every worker', async () => {
  const port = await freePort();
  await using cluster = await startCluster(2, ['--metrics', String(port)]);
  const agents = await connectToEach(cluster.url, 2);
  for (const agent of agents) {
    for (let count = 0; count < 3; count += 1) await send(`${cluster.url}/livez`, {}, { agent });
    agent.destroy();
  }
  expect((await send(`${cluster.url}/metrics`)).status).toBe(404);
  const { status, body } = await send(`http://127.0.0.1:${port}/metrics`);
  expect(status).toBe(200);
  for (const worker of [0, 1])
    expect(body).toContain(
      `pipit_http_requests_total{operation="GET /livez",status="200",worker="${worker}"} 3\n`,
    );
  expect(body.match(/^process_resident_memory_bytes\{/gm)).toHaveLength(2);
  expect(body.match(/^pipit_jobs\{state="dead"\} /gm)).toHaveLength(1);
  expect((await send(`http://127.0.0.1:${port}/2/users/me`)).status).toBe(404);
});
