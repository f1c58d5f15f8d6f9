import { Client } from '@xdevplatform/xdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP } from '../support/world.js';
import { hmac, startReceiver, type Receiver } from '../webhooks/support/receiver.js';

/** Webhooks with the original platform’s SDK, unmodified, and a receiver written after its documents. */

let receiver: Receiver;
let app: TestApp;
let client: Client;
beforeAll(async () => {
  receiver = await startReceiver(APP.api_secret);
  app = await startTestApp({ flags: { webhooksTo: [`127.0.0.1:${receiver.port}`] } });
  client = new Client({ baseUrl: await app.listen(), bearerToken: APP.bearer_token });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

test('registers, links, receives, replays and removes', async () => {
  const { webhooks } = client;
  const { data } = await webhooks.create({ url: receiver.url('/events') });
  const id = data?.id ?? '';
  expect(data).toMatchObject({ url: receiver.url('/events'), valid: true });
  expect((await webhooks.get()).data).toEqual([data]);
  expect((await webhooks.validate(id)).data).toEqual({ valid: true });
  expect((await webhooks.createStreamLink(id)).data).toEqual({ provisioned: true });
  const [link] = (await webhooks.getStreamLinks()).data ?? [];
  expect(link).toMatchObject({ applicationId: APP.id, webhookId: id });

  await app.post('/2/tweets/search/stream/rules', APP.bearer_token, { add: [{ value: 'heron' }] });
  await app.post('/2/tweets', await app.as('alice'), { text: 'A heron' });
  await app.pipit.webhooks.runDue();
  const [event] = receiver.received;
  expect(event?.body.data.text).toBe('A heron');
  expect(event?.headers['x-twitter-webhooks-signature']).toBe(hmac(APP.api_secret, event?.text ?? ''));

  const minute = new Date().toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
  const replay = await webhooks.createWebhookReplayJob({ webhookId: id, fromDate: minute, toDate: minute });
  expect(replay.data).toEqual({ jobId: expect.any(String), createdAt: expect.any(String) });
  await app.pipit.jobs.worker.runDue();
  await app.pipit.webhooks.runDue();
  expect(receiver.received.at(-1)?.body.replay_job_status.job_id).toBe(replay.data?.jobId);

  expect((await webhooks.deleteStreamLink(id)).data).toEqual({ deleted: true });
  expect((await webhooks.delete(id)).data).toEqual({ deleted: true });
  expect((await webhooks.get()).data).toEqual([]);
});
