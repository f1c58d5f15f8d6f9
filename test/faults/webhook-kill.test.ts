import { expect, test, vi } from 'vitest';
import { bearer, send, startCluster } from '../processes/support/cluster.js';
import { startReceiver } from '../webhooks/support/receiver.js';

/** Deliveries to webhooks when the processes of the server are killed (docs/design/webhooks.md#dispatch). */

vi.setConfig({ testTimeout: 180_000 });

const POSTS = 30;

test('every acknowledged post arrives at least once and in order, though all workers are killed meanwhile', async () => {
  // The secret is known once the server has started, and the port must be known before.
  const secret = { value: '' };
  await using receiver = await startReceiver(() => secret.value);
  await using cluster = await startCluster(2, ['--webhooks-to', `127.0.0.1:${receiver.port}`]);
  const { url, credentials } = cluster;
  secret.value = credentials.api_secret;
  const app = bearer(credentials.bearer_token);
  const user = bearer(credentials.oauth2.access_token);
  const ok = async (path: string, headers: Record<string, string>, body?: object) => {
    const reply = await send(url + path, headers, { body: body ?? {} });
    expect([200, 201], JSON.stringify(reply.body)).toContain(reply.status);
    return reply.body;
  };
  const { data } = await ok('/2/webhooks', app, { url: receiver.url() });
  await ok('/2/tweets/search/stream/rules', app, { add: [{ value: 'heron' }] });
  await ok(`/2/tweets/search/webhooks/${data.id}`, app);

  // Slow enough for a kill between the commit and the delivery.
  receiver.answers.post = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 200;
  };
  const sent: string[] = [];
  const post = async (): Promise<void> => {
    const { data: made } = await ok('/2/tweets', user, { text: `heron no. ${sent.length}` });
    sent.push(made.id as string);
  };
  const arrived = (): string[] => [...new Set(receiver.received.map(({ body }) => body.data.id as string))];
  while (sent.length < POSTS / 2) await post();
  await vi.waitFor(() => expect(arrived().length).toBeGreaterThan(2), { timeout: 30_000 });
  expect(arrived().length).toBeLessThan(sent.length);
  const before = cluster.workerPids();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  // New workers accept requests before one of them takes over the work.
  await vi.waitFor(post, { timeout: 30_000, interval: 200 });
  while (sent.length < POSTS) await post();
  await vi.waitFor(() => expect(arrived()).toEqual(sent), { timeout: 60_000, interval: 200 });
  expect(cluster.workerPids().filter((pid) => before.includes(pid))).toEqual([]);
  // What was under way is the only delivery that may have been repeated.
  expect(receiver.received.length - sent.length).toBeLessThanOrEqual(1);
});
