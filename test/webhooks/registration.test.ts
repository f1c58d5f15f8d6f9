import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useWebhookApp } from './support/webhook-app.js';

/** Registering and checking webhooks (docs/api/webhooks.md#registration). */

const PATH = '/2/webhooks';
const HOUR_MS = 3_600_000;

const used = useWebhookApp();

const register = (url = used.receiver.url()) => used.app.post(PATH, used.app.bearer, { url });

async function registered(path?: string): Promise<string> {
  const { status, body } = await register(used.receiver.url(path));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.id as string;
}

async function isValid(): Promise<boolean> {
  return (await used.app.get(PATH, used.app.bearer)).body.data[0].valid as boolean;
}

function messageOf({ status, body }: { status: number; body: { errors: { message: string }[] } }): string {
  expect(status).toBe(400);
  return body.errors[0]?.message ?? '';
}

test('a webhook is registered after its URL proves that it knows the secret, and listed', async () => {
  const { status, body } = await register();
  expect(status).toBe(200);
  expect(body.data).toEqual({
    created_at: expect.stringMatching(/^2[-0-9]+T[:0-9]+\.000Z$/),
    id: expect.stringMatching(/^[0-9]+$/),
    url: used.receiver.url(),
    valid: true,
  });
  expect(used.receiver.checks).toBe(1);
  const list = await used.app.get(`${PATH}?webhook_config.fields=id,url`, used.app.bearer);
  expect(list.body).toEqual({ data: [body.data], meta: { result_count: 1 } });
});

test('an app without webhooks has an empty list', async () => {
  expect((await used.app.get(PATH, used.app.bearer)).body).toEqual({ data: [], meta: { result_count: 0 } });
});

test('a query of the URL is kept in checks', async () => {
  used.receiver.answers.check = (request, response) => {
    response.end(request.url?.startsWith('/events?key=a%20b&crc_token=') === true ? '{}' : 'no');
  };
  expect(messageOf(await register(used.receiver.url('/events?key=a%20b')))).toContain('response_token');
});

describe('refused with a reason', () => {
  test.each([
    ['a wrong token', (end: (text: string) => void) => end('{"response_token":"sha256=AAAA"}')],
    ['no token', (end: (text: string) => void) => end('{}')],
    ['no JSON', (end: (text: string) => void) => end('hello')],
    ['null', (end: (text: string) => void) => end('null')],
    ['more than 64 kB', (end: (text: string) => void) => end(' '.repeat(70_000) + '{}')],
  ])('CrcValidationFailed for %s', async (_what, answer) => {
    used.receiver.answers.check = (_request, response) => answer((text) => void response.end(text));
    expect(messageOf(await register())).toBe('CrcValidationFailed: The answer has no valid response_token.');
    expect((await used.app.get(PATH, used.app.bearer)).body.meta.result_count).toBe(0);
  });

  test.each([301, 404, 500])('CrcValidationFailed for status %i', async (status) => {
    used.receiver.answers.check = (_request, response) =>
      void response.writeHead(status, { location: used.receiver.url('/other') }).end();
    expect(messageOf(await register())).toBe(
      `CrcValidationFailed: The answer has status ${status} instead of 200.`,
    );
    expect(used.receiver.checks).toBe(1);
  });

  test('CrcValidationFailed if nobody listens', async () => {
    await used.receiver.close();
    expect(messageOf(await register())).toBe('CrcValidationFailed: The connection failed (ECONNREFUSED).');
  });

  test.each([
    ['another port', 'http://127.0.0.1:1/'],
    ['http', 'http://203.0.113.9/'],
    ['https with a port', 'https://8.8.8.8:8443/'],
    ['a private address', 'https://10.0.0.7/'],
    ['a number for an address', 'https://2130706433/'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/'],
    ['credentials', 'https://user:password@example.org/'],
    ['a fragment', 'https://example.org/#part'],
    ['another scheme', 'ftp://example.org/'],
    ['no host', 'https:///'],
    ['text', 'events'],
    ['a space', 'https://example.org/a b'],
    ['201 characters', `https://example.org/${'a'.repeat(181)}`],
  ])('UrlValidationFailed for %s', async (_what, url) => {
    expect(messageOf(await register(url))).toMatch(/^UrlValidationFailed: /);
    expect(used.receiver.checks).toBe(0);
  });

  test('DuplicateUrlFailed for a URL that the app has', async () => {
    await registered();
    expect(messageOf(await register())).toMatch(/^DuplicateUrlFailed: /);
  });

  test('WebhookLimitExceeded for a sixth webhook', async () => {
    for (const path of ['/1', '/2', '/3', '/4', '/5']) await registered(path);
    expect(messageOf(await register(used.receiver.url('/6')))).toMatch(/^WebhookLimitExceeded: /);
  });

  test('WebhookIdInvalid for an unknown webhook', async () => {
    for (const method of ['put', 'delete'] as const) {
      expect(messageOf(await used.app[method](`${PATH}/17`, used.app.bearer))).toMatch(/^WebhookIdInvalid: /);
    }
  });
});

test('several registrations of one URL at a time make one webhook', async () => {
  const answers = await Promise.all([register(), register(), register()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect((await used.app.get(PATH, used.app.bearer)).body.meta.result_count).toBe(1);
});

test('a deleted webhook is gone', async () => {
  const id = await registered();
  expect((await used.app.delete(`${PATH}/${id}`, used.app.bearer)).body).toEqual({ data: { deleted: true } });
  expect((await used.app.get(PATH, used.app.bearer)).body.data).toEqual([]);
});

test('users of OAuth 2.0 are refused', async () => {
  const { status } = await used.app.post(PATH, await used.app.as('alice'), { url: used.receiver.url() });
  expect(status).toBe(403);
});

describe('checks in the background', () => {
  test('run hourly', async () => {
    await registered();
    await used.app.pipit.webhooks.runDue();
    expect(used.receiver.checks).toBe(1);
    used.nowMs += HOUR_MS;
    await used.app.pipit.webhooks.runDue();
    await used.app.pipit.webhooks.runDue();
    expect(used.receiver.checks).toBe(2);
    expect(await isValid()).toBe(true);
  });

  test.each([
    ['a wrong token', 200],
    ['a redirect', 302],
  ])('end a webhook at once for %s, until PUT', async (_what, status) => {
    const id = await registered();
    used.receiver.answers.check = (_request, response) => void response.writeHead(status).end('{}');
    used.nowMs += HOUR_MS;
    await used.app.pipit.webhooks.runDue();
    expect(await isValid()).toBe(false);
    expect(messageOf(await used.app.put(`${PATH}/${id}`, used.app.bearer))).toMatch(/^CrcValidationFailed: /);
    expect(await isValid()).toBe(false);
    used.receiver.answers.check = undefined;
    used.nowMs += HOUR_MS;
    await used.app.pipit.webhooks.runDue();
    expect(await isValid()).toBe(false);
    expect((await used.app.put(`${PATH}/${id}`, used.app.bearer)).body).toEqual({ data: { valid: true } });
    expect(await isValid()).toBe(true);
  });

  test('end a webhook whose server fails for 28 hours', async () => {
    await registered();
    used.receiver.answers.check = (_request, response) => void response.writeHead(503).end();
    const states: boolean[] = [];
    for (let hour = 0; hour < 30; hour++) {
      used.nowMs += HOUR_MS;
      await used.app.pipit.webhooks.runDue();
      states.push(await isValid());
    }
    expect(states.indexOf(false)).toBe(28);
  });

  test('forget failures after one that passes', async () => {
    await registered();
    const states: boolean[] = [];
    for (let hour = 0; hour < 55; hour++) {
      used.nowMs += HOUR_MS;
      const fail = (_request: unknown, response: ServerResponse) => void response.writeHead(503).end();
      used.receiver.answers.check = hour === 20 ? undefined : fail;
      await used.app.pipit.webhooks.runDue();
      states.push(await isValid());
    }
    expect(states.indexOf(false)).toBe(20 + 1 + 28);
  });
});
