import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig, type ServeFlags } from '../../src/server/config.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

let pipit: TestSandbox;

beforeAll(async () => {
  pipit = await startTestSandbox({ flags: { baseUrl: 'http://pipit.test:8080' } });
});

afterAll(() => pipit[Symbol.asyncDispose]());

/** Sends headers that `fetch` would not send. */
async function statusOf(
  headers: Record<string, string>,
  url = pipit.url,
  path = '',
): Promise<number | undefined> {
  const sent = request(`${url}/_pipit/sandbox${path}`, { headers });
  sent.end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

test('the sandbox answers requests to a loopback host and to its base URL, and to no other host', async () => {
  for (const host of ['localhost:1234', '127.0.0.1', '[::1]:80', '127.8.8.8:1', 'pipit.test:8080'])
    expect([host, await statusOf({ host })]).toEqual([host, 200]);
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'a b'])
    expect([host, await statusOf({ host })]).toEqual([host, 403]);
});

test('the sandbox does not answer pages of another origin', async () => {
  const host = 'localhost:8080';
  expect(await statusOf({ host, origin: 'http://localhost:8080' })).toBe(200);
  expect(await statusOf({ host, origin: 'http://pipit.test:8080' })).toBe(200);
  for (const origin of ['http://localhost:3000', 'https://localhost:8080', 'http://evil.example', 'null', ''])
    expect([origin, await statusOf({ host, origin })]).toEqual([origin, 403]);
});

test('a sandbox with a key requires it, from any host', async () => {
  const key = 'correct-horse-battery';
  await using guarded = await startTestSandbox({ flags: { sandboxKey: key } });
  const withKey = (sent: string) =>
    statusOf({ 'x-pipit-sandbox-key': sent, host: 'any.example' }, guarded.url);
  expect(await withKey(key)).toBe(200);
  expect(await withKey('wrong')).toBe(403);
  expect(await withKey(`${key}x`)).toBe(403);
  expect(await statusOf({}, guarded.url)).toBe(403);
});

test('a body that is not declared as JSON is refused, as are unknown members and unknown paths', async () => {
  const answer = await fetch(`${pipit.url}/_pipit/sandbox/reset`, { method: 'POST', body: '{"seed":1}' });
  expect(answer.status).toBe(400);
  expect((await pipit.control('POST', '/reset', { sed: 1 })).body.errors[0].message).toContain('sed');
  expect((await pipit.control('GET', '/nothing')).status).toBe(404);
  expect((await pipit.control('DELETE', '/reset')).status).toBe(405);
});

test('the state of the sandbox is at its path with and without a slash', async () => {
  for (const path of ['', '/']) {
    expect((await pipit.control('GET', path)).body.data).toMatchObject({ snapshots: [] });
    expect(await statusOf({ host: 'evil.example' }, pipit.url, path)).toBe(403);
  }
});

test('without --sandbox there is no sandbox', async () => {
  const outside = await pipit.send('GET', '/_pipit/sandboxes');
  expect(outside.status).toBe(404);
});

test('settings that would expose or confuse a sandbox are refused', () => {
  const refusal = (flags: ServeFlags) => {
    try {
      readConfig(flags, {});
      return 'accepted';
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  expect(refusal({ sandbox: true, host: '0.0.0.0' })).toContain('add --sandbox-key');
  expect(refusal({ sandbox: true, host: '0.0.0.0', sandboxKey: '0123456789abcdef' })).toBe('accepted');
  expect(refusal({ sandbox: true, sandboxKey: 'short' })).toContain('--sandbox-key must be 16 to 200');
  expect(refusal({ sandbox: true, workers: '2' })).toContain('a sandbox supports one process');
  expect(refusal({ sandboxSeed: '1' })).toContain('need --sandbox');
  expect(readConfig({ sandbox: true }, {}).database).toBe('sqlite::memory:');
  expect(readConfig({ sandbox: true }, { PIPIT_DATABASE: 'sqlite:a.db' }).database).toBe('sqlite:a.db');
});
