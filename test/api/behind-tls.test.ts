import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';

const HSTS = 'strict-transport-security';

/** Sends raw bytes and returns the response. */
async function exchangeBytes(app: TestApp, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(await app.listen()).port), '127.0.0.1', () => socket.write(bytes));
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  await once(socket, 'close');
  return received;
}

/** Returns the HSTS header of endpoints, pages, refusals, unknown paths, malformed paths and malformed requests. */
async function transportHeaders(baseUrl: string): Promise<(string | string[] | undefined)[]> {
  await using app = await startTestApp({ flags: { baseUrl } });
  const answers = [
    await app.get('/2/users/by/username/alice', app.bearer),
    await app.get('/2/users/by/username/alice'),
    await app.post('/2/tweets', await app.as('alice'), {}),
    await app.get('/2/nothing'),
    await app.get('/nothing', app.bearer),
    await app.get('/2/users/%zz', app.bearer),
    await app.put('/2/tweets', app.bearer, {}),
    await app.get('/'),
    await app.get('/my-account'),
    await app.get('/docs'),
    await app.request({ method: 'POST', url: '/oauth2/token' }),
  ];
  const broken = await exchangeBytes(app, 'nonsense\r\n\r\n');
  expect(broken).toMatch(/^HTTP\/1\.1 400 /);
  const ofBroken = new RegExp(`^${HSTS}: (.*)\r$`, 'm').exec(broken)?.[1];
  return [...answers.map(({ headers }) => headers[HSTS]), ofBroken];
}

test('every response of a server with an https base URL carries HSTS', async () => {
  expect(new Set(await transportHeaders('https://pond.example'))).toEqual(new Set(['max-age=31536000']));
});

test('no response of a server with an http base URL carries HSTS', async () => {
  expect(new Set(await transportHeaders('http://pond.example'))).toEqual(new Set([undefined]));
});

test('forwarding headers from an undeclared proxy are warned about once', async () => {
  const warned = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const warnings = () =>
    warned.mock.calls.filter(([text]) => String(text).includes('not a declared proxy')).length;
  const headers = { 'x-forwarded-for': '198.51.100.9' };
  await using undeclared = await startTestApp();
  await undeclared.get('/2/nothing');
  expect(warnings()).toBe(0);
  for (const url of ['/sign-in', '/2/nothing']) await undeclared.request({ method: 'GET', url, headers });
  expect(warnings()).toBe(1);
  await using declared = await startTestApp({ flags: { trustedProxy: ['127.0.0.1'] } });
  await declared.request({ method: 'GET', url: '/sign-in', headers });
  expect(warnings()).toBe(1);
});
