import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createTls } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { parseNamedTarget } from '../../src/services/webhooks/outgoing/named-target.js';
import { createOutgoing, type Resolve } from '../../src/services/webhooks/outgoing/outgoing.js';
import { selfSigned } from './support/certificate.js';

/** Requests to addresses that users choose, against hostile servers (docs/design/webhooks.md#outgoing-requests). */

const servers: { close: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => {
  const server = createHttp(listener);
  servers.push({ close: () => server.closeAllConnections() });
  return listen(server);
};

/** Serves raw bytes. */
const serveRaw = (handle: (socket: Socket) => void): Promise<number> =>
  listen(
    createTcp((socket) => {
      servers.push({ close: () => socket.destroy() });
      socket.on('error', () => undefined);
      socket.once('data', () => handle(socket));
    }),
  );

const outgoingTo = (
  to: readonly string[],
  options: { limitMs?: number; abandoned?: AbortSignal; resolve?: Resolve; ca?: string } = {},
) =>
  createOutgoing({ targets: to.flatMap((text) => parseNamedTarget(text) ?? []), limitMs: 5_000, ...options });

const get = (port: number, limitMs?: number, path = '/') =>
  outgoingTo([`127.0.0.1:${port}`], { limitMs })({ method: 'GET', url: `http://127.0.0.1:${port}${path}` });

const noResolve: Resolve = () => Promise.reject(new Error('asked for a name'));

describe('a request that is not allowed reaches nobody', () => {
  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'http://8.8.8.8/',
    'https://8.8.8.8:8443/',
  ])('%s', async (url) => {
    const answer = await outgoingTo([], { resolve: noResolve })({ method: 'GET', url });
    expect(answer).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['one of its addresses is private', ['8.8.8.8', '10.0.0.1']],
    ['its address is loopback', ['127.0.0.1']],
    ['its address is mapped', ['::ffff:10.0.0.1']],
  ])('a name, if %s', async (_what, addresses) => {
    const resolve: Resolve = () => Promise.resolve(addresses);
    const answer = await outgoingTo([], { resolve })({ method: 'GET', url: 'https://inside.example/' });
    expect(answer).toMatchObject({ kind: 'refused' });
  });

  test('another port than the named one', async () => {
    const port = await serve((_request, response) => void response.end('secret'));
    const answer = await outgoingTo(['127.0.0.1:1'])({ method: 'GET', url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ kind: 'refused' });
  });

  test('an error names no address', async () => {
    const resolve: Resolve = () => Promise.resolve(['10.11.12.13']);
    const answer = await outgoingTo([], { resolve })({ method: 'GET', url: 'https://inside.example/' });
    expect(JSON.stringify(answer)).not.toContain('10.11');
  });
});

test('a name is resolved once, and the connection is made to that address', async () => {
  const certificate = await selfSigned('rebinding.example');
  const hosts: unknown[] = [];
  const server = createTls(certificate, (request, response) => {
    hosts.push(request.headers.host);
    response.end('right');
  });
  const names: unknown[] = [];
  server.on('secureConnection', (socket) => names.push(socket.servername));
  const port = await listen(server);
  let asked = 0;
  // The second answer would be another host.
  const resolve: Resolve = () => Promise.resolve([asked++ === 0 ? '127.0.0.1' : '127.0.0.9']);
  const outgoing = outgoingTo([`127.0.0.1:${port}`], { resolve, ca: certificate.cert });
  const answer = await outgoing({ method: 'GET', url: `https://rebinding.example:${port}/` });
  expect(answer).toMatchObject({ kind: 'answered', status: 200 });
  expect([asked, hosts, names]).toEqual([1, [`rebinding.example:${port}`], ['rebinding.example']]);
});

test('a name with a final dot is the same name', async () => {
  const port = await serve((_request, response) => void response.end('here'));
  const url = `http://localhost.:${port}/`;
  expect(await outgoingTo([`localhost:${port}`])({ method: 'GET', url })).toMatchObject({ status: 200 });
});

describe('TLS', () => {
  const ask = async (name: string, trusts: boolean) => {
    const certificate = await selfSigned(name);
    const port = await listen(createTls(certificate, (_request, response) => void response.end('{}')));
    const resolve: Resolve = () => Promise.resolve(['127.0.0.1']);
    const options = trusts ? { resolve, ca: certificate.cert } : { resolve };
    return outgoingTo([`127.0.0.1:${port}`], options)({ method: 'GET', url: `https://app.example:${port}/` });
  };

  test('accepts a trusted certificate of the name', async () => {
    expect(await ask('app.example', true)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('refuses one that is not trusted, and one of another name', async () => {
    expect(await ask('app.example', false)).toMatchObject({ kind: 'tls' });
    expect(await ask('other.example', true)).toMatchObject({ kind: 'tls' });
  });

  test('refuses a server that does not speak it', async () => {
    const port = await serve((_request, response) => void response.end('{}'));
    const answer = await outgoingTo([`127.0.0.1:${port}`])({
      method: 'GET',
      url: `https://127.0.0.1:${port}/`,
    });
    expect(answer).toMatchObject({ kind: 'tls' });
  });
});

describe('an answer', () => {
  test('with a redirect is not followed', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await get(port)).toMatchObject({ kind: 'answered', status: 302 });
    expect(requests).toBe(1);
  });

  test('is cut at 64 kB', async () => {
    const port = await serve((_request, response) => {
      response.write('x'.repeat(1_000_000));
      setInterval(() => response.write('x'), 1).unref();
    });
    const answer = await get(port);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, isWhole: false });
    expect(answer.kind === 'answered' && answer.body.length).toBe(64 * 1024);
  });

  test('that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const answer = await get(port);
    expect(answer.kind === 'answered' && answer.body.equals(bomb.subarray(0, 64 * 1024))).toBe(true);
  });

  test('whose body drips ends in time, with its status', async () => {
    const port = await serve((_request, response) => {
      response.write('{');
      setInterval(() => response.write(' '), 20).unref();
    });
    expect(await get(port, 300)).toMatchObject({ kind: 'answered', status: 200, isWhole: false });
  });

  test.each([
    ['whose headers drip', (socket: Socket) => void setInterval(() => socket.write('H'), 20).unref()],
    ['that never comes', () => undefined],
    [
      'with interim answers without end',
      (socket: Socket) => void setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20).unref(),
    ],
  ])('%s fails', async (_what, handle) => {
    const answer = await get(await serveRaw(handle), 300);
    expect(answer).toMatchObject({ kind: 'failed' });
  });

  test.each([
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x-more: yes\r\n'.repeat(100_000)}`],
    ['a header without end', `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(1_000_000)}`],
    ['other bytes', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('with %s fails', async (_what, bytes) => {
    const answer = await get(await serveRaw((socket) => void socket.write(bytes)), 2_000);
    expect(answer).toMatchObject({ kind: 'failed' });
  });

  test('that is cut off fails, or counts once its status came', async () => {
    expect(await get(await serveRaw((socket) => void socket.destroy()))).toMatchObject({ kind: 'failed' });
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{';
    expect(await get(await serveRaw((socket) => void socket.end(half)))).toMatchObject({
      kind: 'answered',
      status: 200,
      isWhole: false,
    });
  });
});

test('a name whose server never answers fails in time', async () => {
  const outgoing = outgoingTo([], { limitMs: 200, resolve: () => new Promise(() => undefined) });
  expect(await outgoing({ method: 'GET', url: 'https://slow.example/' })).toEqual({
    kind: 'failed',
    error: 'There was no answer in time.',
  });
});

test('a name without address fails', async () => {
  const outgoing = outgoingTo([], { resolve: () => Promise.resolve([]) });
  expect(await outgoing({ method: 'GET', url: 'https://nobody.example/' })).toMatchObject({ kind: 'failed' });
});

test('a proxy of the environment is not used', async () => {
  const port = await serve((_request, response) => void response.end('direct'));
  const before = { ...process.env };
  Object.assign(process.env, {
    http_proxy: 'http://127.0.0.1:1',
    HTTP_PROXY: 'http://127.0.0.1:1',
    NODE_USE_ENV_PROXY: '1',
  });
  try {
    expect(await get(port)).toMatchObject({ status: 200 });
  } finally {
    process.env = before;
  }
});

test('requests that are abandoned end at once, and so do later ones', async () => {
  const abandon = new AbortController();
  const { signal: abandoned } = abandon;
  const outgoing = outgoingTo([], { abandoned, resolve: () => new Promise(() => undefined) });
  const ask = () => outgoing({ method: 'GET', url: 'https://hooks.example/' });
  const waiting = ask();
  abandon.abort();
  expect([(await waiting).kind, (await ask()).kind]).toEqual(['failed', 'failed']);
});
