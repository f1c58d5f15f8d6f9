import { afterEach, beforeEach, expect } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { LooseJson } from '../../support/loose-json.js';
import { APP } from '../../support/world.js';
import { startReceiver, type Receiver } from './receiver.js';

/** A server that may send to a receiver on this machine, at a time that tests set. */
export interface WebhookApp {
  app: TestApp;
  receiver: Receiver;
  nowMs: number;
}

/** Starts a server and a receiver for each test of the file. The members of the result are set before each. */
export function useWebhookApp(): WebhookApp {
  const used = {} as WebhookApp;
  beforeEach(async () => {
    used.nowMs = Date.now();
    used.receiver = await startReceiver(APP.api_secret);
    const webhooksTo = [`127.0.0.1:${used.receiver.port}`];
    used.app = await startTestApp({ clock: () => used.nowMs, flags: { webhooksTo } });
  });
  afterEach(async () => {
    await used.app.close();
    await used.receiver.close();
  });
  return used;
}

/** Returns the body of a successful answer. */
export async function ok(answer: Promise<{ status: number; body: LooseJson }>): Promise<LooseJson> {
  const { status, body } = await answer;
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body;
}

/** Registers a webhook at a path of the receiver. Returns its id. */
export async function register({ app, receiver }: WebhookApp, path = '/'): Promise<string> {
  const { data } = await ok(app.post('/2/webhooks', app.bearer, { url: receiver.url(path) }));
  return data.id as string;
}
