import { expect, test, vi } from 'vitest';
import { readStream } from '../streams/support/read-stream.js';
import { bearer, send, startCluster } from './support/cluster.js';

/** The connections of real workers, one of which is killed (docs/api/streams.md#connections). */

vi.setConfig({ testTimeout: 120_000 });

test('the connection of a worker that died holds its place until its lease expires', async () => {
  await using cluster = await startCluster(2, ['--rate-limits', 'off', '--stream-grace', '2']);
  const { url, credentials } = cluster;
  const token = credentials.bearer_token;
  const rules = `${url}/2/tweets/search/stream/rules`;
  expect((await send(rules, bearer(token), { body: { add: [{ value: 'heron' }] } })).status).toBe(201);
  const reader = await readStream(url, token);
  let isOpen = true;
  reader.response.once('close', () => (isOpen = false));
  for (let tries = 0; tries < 5; tries++)
    expect((await send(`${url}/2/tweets/search/stream`, bearer(token))).status).toBe(429);
  const [one = 0, other = 0] = cluster.workerPids();
  process.kill(one, 'SIGKILL');
  await cluster.logged('a worker ended');
  if (isOpen) {
    process.kill(other, 'SIGKILL');
    await cluster.logged('a worker ended', 2);
  }
  const again = await vi.waitUntil(
    async () => {
      const opened = await readStream(url, token).catch(() => undefined);
      if (opened?.response.statusCode === 200) return opened;
      opened?.close();
      return undefined;
    },
    { timeout: 30_000, interval: 100 },
  );
  const listed = await send(`${url}/2/connections?status=all`, bearer(token));
  expect(listed.body.data).toMatchObject([{}, { disconnect_reason: 'ConnectionLost' }]);
  reader.close();
  again.close();
});
