import dns from 'node:dns';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { OWN_ID, as, buildFakeApp } from './fake-catalogue.js';
import { invalidRequest } from './support/errors.js';

const { app } = buildFakeApp({ limits: 'off' });
let port = 0;
beforeAll(async () => {
  port = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const AUTH = 'Host: x\r\nAuthorization: Bearer app\r\n';

/** Headers that the built-in responses of `node:http` lack (docs/api/requests.md#answers). */
const USUAL_HEADERS = [
  /\r\nx-transaction-id: [0-9a-f]{16}\r\n/,
  /\r\nx-response-time: \d+\r\n/,
  /\r\nx-access-level: read\r\n/,
  /\r\napi-version: 2\.52\r\n/,
  /\r\ncontent-type: application\/json; charset=utf-8\r\n/,
  /\r\ncache-control: no-cache, no-store, max-age=0\r\n/,
];

/** Sends raw bytes and returns everything received until the server closes the connection. */
function talk(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

function problemIn(answer: string): { status: number; title: string } {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { status: number; title: string };
}

describe('invalid HTTP gets a problem as its response', () => {
  it.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['an unknown method', `FROB /2/things HTTP/1.1\r\n${AUTH}\r\n`, 400],
    ['a broken header', `GET /2/things/1 HTTP/1.1\r\n${AUTH}bad header\r\n\r\n`, 400],
    ['a negative length', `POST /2/things HTTP/1.1\r\n${AUTH}Content-Length: -1\r\n\r\n`, 400],
    ['two lengths', `POST /2/things HTTP/1.1\r\n${AUTH}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    [
      'a length and chunks',
      `POST /2/things HTTP/1.1\r\n${AUTH}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['a URL with bytes above 127', Buffer.from(`GET /2/things?query=né HTTP/1.1\r\n${AUTH}\r\n`), 400],
    ['an over-long URL', `GET /2/things/${'1'.repeat(40_000)} HTTP/1.1\r\n${AUTH}\r\n`, 414],
    ['an over-long header', `GET /2/things/1 HTTP/1.1\r\n${AUTH}X-Long: ${'1'.repeat(40_000)}\r\n\r\n`, 431],
    [
      'over-long chunk extensions',
      `POST /2/things HTTP/1.1\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n`,
      413,
    ],
    ['CONNECT', `CONNECT x:1 HTTP/1.1\r\n${AUTH}\r\n`, 405],
  ])('%s', async (_name, bytes, status) => {
    const answer = await talk(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(problemIn(answer).status).toBe(status);
    for (const header of USUAL_HEADERS) expect(answer).toMatch(header);
  });

  it.each(METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method)))(
    '%s where only GET exists returns 405',
    async (method) => {
      const answer = await talk(`${method} /2/things/1 HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 405 /);
      expect(answer).toContain('\r\nallow: GET, HEAD\r\n');
    },
  );
});

describe('a repeated single-value header returns 400', () => {
  const json = 'Content-Type: application/json\r\n';

  it.each([
    ['Host', `GET /2/things/1 HTTP/1.1\r\n${AUTH}HOST: y\r\nConnection: close\r\n\r\n`, ['x', 'y']],
    [
      'Content-Type',
      `POST /2/things HTTP/1.1\r\n${AUTH}${json}${json}Content-Length: 2\r\nConnection: close\r\n\r\n{}`,
      ['application/json', 'application/json'],
    ],
    [
      'Content-Type of a form',
      `POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nConnection: close\r\n\r\n`,
      ['a/b', 'c/d'],
    ],
    [
      'Host behind thousands of other headers',
      `GET /2/things/1 HTTP/1.1\r\n${AUTH}${'a:\r\n'.repeat(2500)}Host: y\r\nConnection: close\r\n\r\n`,
      ['x', 'y'],
    ],
  ])('%s', async (name, bytes, values) => {
    const header = name.split(' ')[0]?.toLowerCase() ?? '';
    const answer = await talk(bytes);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(problemIn(answer)).toEqual(
      invalidRequest([{ [header]: values }, `Duplicate headers are not allowed: the \`${header}\` header`]),
    );
  });
});

test('a connection reset after CONNECT does not stop the server', async () => {
  const escaped: unknown[] = [];
  const record = (error: unknown): number => escaped.push(error);
  process.on('uncaughtException', record);
  onTestFinished(() => void process.off('uncaughtException', record));
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`CONNECT x:1 HTTP/1.1\r\n${AUTH}\r\n${'x'.repeat(1000)}`);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  expect(await talk(`GET /2/things/1 HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 200 /,
  );
  expect(escaped).toEqual([]);
});

describe('unusual but valid requests are served', () => {
  const close = 'Connection: close\r\n\r\n';

  it.each([
    ['no Host header', `GET /2/things/1 HTTP/1.1\r\nAuthorization: Bearer app\r\n${close}`],
    ['HTTP/1.0', `GET /2/things/1 HTTP/1.0\r\nAuthorization: Bearer app\r\n\r\n`],
    ['an unknown expectation', `GET /2/things/1 HTTP/1.1\r\n${AUTH}Expect: miracles\r\n${close}`],
    ['an upgrade', `GET /2/things/1 HTTP/1.1\r\n${AUTH}Connection: Upgrade\r\nUpgrade: h2c\r\n${close}`],
    ['a body on GET', `GET /2/things/1 HTTP/1.1\r\n${AUTH}Content-Length: 3\r\n${close}abc`],
    ['an absolute URL', `GET http://x/2/things/1 HTTP/1.1\r\n${AUTH}${close}`],
    [
      'an absolute URL as sent to a proxy',
      `GET https://a:b@api.twitter.com:443/2/things/1?tweet.fields=lang HTTP/1.1\r\n${AUTH}${close}`,
    ],
  ])('%s', async (_name, bytes) => {
    expect(await talk(bytes)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a request target that is not a path', () => {
  it('in absolute form is routed by its path, also for a 405 (RFC 9112 3.2.2)', async () => {
    const answer = await talk(`PUT http://x/2/things HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toContain('\r\nallow: GET, HEAD, POST\r\n');
  });
});

describe('pipelined requests', () => {
  const get = `GET /2/things/1 HTTP/1.1\r\n${AUTH}\r\n`;
  const body = '{"owner_id":"1"}';
  const head = 'POST /2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\n';
  const post = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const statuses = (answers: string): string[] => answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

  it('are answered in order', async () => {
    const last = get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(statuses(await talk(get.repeat(20) + post + last))).toEqual([
      ...Array<string>(20).fill('200'),
      '201',
      '200',
    ]);
  });

  it('are answered before the error for invalid bytes after them', async () => {
    const garbage = 'no request\r\n\r\n';
    expect(statuses(await talk(post + garbage))).toEqual(['201', '400']);
    expect(statuses(await talk(get + post + post + garbage))).toEqual(['200', '201', '201', '400']);
  });

  it('do not include the rest of a body longer than its declared length', async () => {
    const short = post.replace(`Content-Length: ${body.length}`, 'Content-Length: 5');
    const answers = await talk(short);
    expect(statuses(answers)).toEqual(['400', '400']);
    expect(answers).toContain('Could not parse the request body as JSON.');
  });

  it('close the connection after malformed chunks', async () => {
    const chunks = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(statuses(await talk(`${head}${chunks}zz\r\n`))).toEqual(['400']);
  });
});

describe('request bodies over a socket', () => {
  const url = () => `http://127.0.0.1:${port}/2/things`;
  const headers = { authorization: 'Bearer user', 'content-type': 'application/json' };

  it('in chunks are read', async () => {
    const parts = ['{"owner_', 'id":"1"', '}'].map((part) => new TextEncoder().encode(part));
    const body = ReadableStream.from(parts) as ReadableStream<Uint8Array>;
    const answer = await fetch(url(), { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(await answer.json()).toEqual({ data: { owner_id: '1', user_id: OWN_ID } });
  });

  it('over the limit return 413, with a length and in chunks, which the client receives', async () => {
    const chunk = new Uint8Array(256 * 1024).fill(32);
    const whole = await fetch(url(), { method: 'POST', headers, body: new Uint8Array(3 * 1024 * 1024) });
    expect(whole.status).toBe(413);
    await whole.body?.cancel();
    const body = ReadableStream.from(Array<Uint8Array>(12).fill(chunk)) as ReadableStream<Uint8Array>;
    const answer = await fetch(url(), { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ title: 'Payload Too Large' });
  });

  it('that end early do not affect the server', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\nContent-Length: 9\r\n\r\n{',
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    const answer = await fetch(`${url()}/1`, { headers: as('app') });
    expect(answer.status).toBe(200);
  });

  it('of refused requests are not awaited', async () => {
    const answer = await talk(
      'POST /2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

/** Simulates a machine whose `localhost` has two addresses. */
function mockLocalhostWithTwoAddresses(): void {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ];
  const lookup = ((name: string, ...rest: unknown[]) => {
    const options = rest.length > 1 ? (rest[0] as dns.LookupOptions) : {};
    const done = rest.at(-1) as (...found: unknown[]) => void;
    if (options.all) done(null, addresses);
    else done(null, name === 'localhost' ? '127.0.0.1' : name, 4);
  }) as unknown as typeof dns.lookup;
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup);
  onTestFinished(() => spy.mockRestore());
}

describe('listening', () => {
  it('on localhost binds one address only, so that every listener is configured', async () => {
    mockLocalhostWithTwoAddresses();
    const other = buildFakeApp().app;
    onTestFinished(() => other.close());
    const otherPort = await other.listen({ host: 'localhost', port: 0 });
    const socket = connect(otherPort, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await expect(once(connect(otherPort, '127.0.0.2'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('on a port in use fails', async () => {
    const other = buildFakeApp().app;
    onTestFinished(() => other.close());
    await expect(other.listen({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  });
});

describe('closing', () => {
  it('refuses new connections and closes idle ones', async () => {
    const other = buildFakeApp().app;
    const otherPort = await other.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${otherPort}/2/things/1`;
    expect((await fetch(url, { headers: as('app') })).status).toBe(200);
    await other.close();
    await expect(fetch(url, { headers: as('app') })).rejects.toThrow();
  });
});
