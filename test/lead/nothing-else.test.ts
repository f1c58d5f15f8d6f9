import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificates } from '../../src/lead/certificates.js';
import { upstreamOf } from '../../src/lead/upstream.js';
import { temporaryFolder } from '../support/cli.js';
import { pythonWith } from '../support/python.js';
import { startLedServer, type LedServer } from './support/led-server.js';
import { run } from './support/run.js';

/** What `pipit lead` must leave alone, and what it must refuse. */

const EVIL = 'api.x.com.evil.test';

let server: LedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const servers: Server[] = [];

/** A server of the led program’s own; records the bytes of each request. */
interface OwnServer {
  readonly port: number;
  readonly requests: string[];
}

async function listen(own: Server): Promise<number> {
  servers.push(own);
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  return (own.address() as AddressInfo).port;
}

async function startOwnServer(create: (answer: (socket: Socket) => void) => Server): Promise<OwnServer> {
  const requests: string[] = [];
  const own = create((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      requests.push(bytes.toString());
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nown');
    });
  });
  return { port: await listen(own), requests };
}

let plain: OwnServer;
let secure: OwnServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  // Another authority, which the programs are told to trust.
  const { authority, server: own } = await createCertificates(
    ['localhost', 'evil.test'],
    ['localhost', EVIL],
    {
      notBefore: new Date(Date.now() - 1_000),
      notAfter: new Date(Date.now() + 86_400_000),
    },
  );
  await writeFile(folder.file('own-ca.pem'), authority.certificate);
  plain = await startOwnServer((answer) => createTcpServer(answer));
  secure = await startOwnServer((answer) => createTlsServer({ cert: own.certificate, key: own.key }, answer));
  server = await startLedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const own of servers) own.close();
  await folder[Symbol.asyncDispose]();
});

const python = pythonWith('requests');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const node = (script: string): [string, ...string[]] => [
  process.execPath,
  '--input-type=module',
  '-e',
  script,
];

/** Programs that request an address with a given file of authorities, and print the body. */
const REQUESTERS: readonly [string, boolean, (url: string, ca: string) => [string, ...string[]]][] = [
  [
    'Node',
    true,
    (url, ca) =>
      node(`
        import { readFileSync } from 'node:fs';
        const { get } = await import(${JSON.stringify(url)}.startsWith('https') ? 'node:https' : 'node:http');
        get('${url}', { ca: readFileSync('${ca}') }, (answer) => answer.pipe(process.stdout));
      `),
  ],
  [
    'Python',
    python !== undefined,
    (url, ca) => [
      python ?? '',
      '-c',
      `import requests; print(requests.get('${url}', verify='${ca}').text, end='')`,
    ],
  ],
  ['curl', hasCurl, (url, ca) => ['curl', '--silent', '--cacert', ca, url]],
];

describe.each(REQUESTERS)('a led program in %s (skipped where it is absent)', (_, isInstalled, request) => {
  test.skipIf(!isInstalled).each(['http', 'https'])(
    'sends the same bytes to another %s server',
    async (scheme) => {
      const own = scheme === 'http' ? plain : secure;
      const command = request(`${scheme}://localhost:${own.port}/path?query=1`, folder.file('own-ca.pem'));
      expect(await run(command)).toMatchObject({ status: 0, stdout: 'own' });
      expect(await run(command, server.env)).toMatchObject({ status: 0, stdout: 'own' });
      const [before, led] = own.requests.splice(0);
      expect(led).toBe(before);
    },
  );
});

describe('a host whose name only begins like one of X', () => {
  test('is not led by the preload for Node', async () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { get } from 'node:https';
      const lookup = (name, options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
      const ca = readFileSync('${folder.file('own-ca.pem')}');
      get({ host: '${EVIL}', port: ${secure.port}, ca, lookup }, (answer) => answer.pipe(process.stdout));
    `;
    expect(await run(node(script), server.env)).toMatchObject({ stdout: 'own' });
  });

  test.skipIf(python === undefined)('is not led by the preload for Python (skipped without it)', async () => {
    const script = `
import socket, ssl
context = ssl.create_default_context(cafile='${folder.file('own-ca.pem')}')
with socket.create_connection(('localhost', ${secure.port})) as plain:
    with context.wrap_socket(plain, server_hostname='${EVIL}') as secure:
        secure.sendall(b'GET / HTTP/1.1\\r\\nHost: ${EVIL}\\r\\n\\r\\n')
        print(secure.recv(100).decode()[-3:], end='')
`;
    expect(await run([String(python), '-c', script], server.env)).toMatchObject({
      stdout: 'own',
      stderr: '',
    });
  });

  test.skipIf(!hasCurl)('is refused by the proxy (skipped without curl)', async () => {
    const { stdout } = await run(['curl', '--silent', `http://${EVIL}/`], server.env);
    expect(stdout).toBe(
      `pipit lead refused this request: ${EVIL} is not a host of X. Allow it with --allow ${EVIL}.\n`,
    );
    expect((await server.lead.refusals()).get(EVIL)).toBe(1);
  });
});

describe('a connection to a host of X that does not end at Pipit', () => {
  test('is refused in Node, before a request, and reported', async () => {
    const before = secure.requests.length;
    const script = `
      import { connect } from 'node:net';
      import * as tls from 'node:tls';
      const tunnel = connect(${secure.port}, '127.0.0.1');
      const options = { socket: tunnel, servername: 'api.x.com', rejectUnauthorized: false };
      tls.connect(options, () => console.log('connected')).on('error', ({ code }) => console.log(code));
    `;
    const { stdout } = await run(node(script), server.env);
    expect(stdout).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE\n');
    expect((await server.lead.refusals()).get('api.x.com')).toBe(1);
    expect(secure.requests).toHaveLength(before);
  });

  test.skipIf(python === undefined)('is refused in Python (skipped without it)', async () => {
    const script = `
import socket, ssl
context = ssl._create_unverified_context()
with socket.create_connection(('localhost', ${secure.port})) as plain:
    try:
        context.wrap_socket(plain, server_hostname='upload.x.com')
    except ssl.SSLCertVerificationError:
        print('refused', end='')
`;
    expect(await run([String(python), '-c', script], server.env)).toMatchObject({
      stdout: 'refused',
      stderr: '',
    });
    expect((await server.lead.refusals()).get('upload.x.com')).toBe(1);
  });

  test('is led in Node if the program has looked up the address itself', async () => {
    const script = `
      import { request } from 'node:https';
      const headers = { host: 'api.x.com', authorization: 'Bearer ' + process.env.PIPIT_BEARER_TOKEN };
      const path = '/2/users/by/username/maya';
      request({ host: '192.0.2.1', path, headers }, (answer) => console.log(answer.resume().statusCode)).end();
    `;
    expect(await run(node(script), server.env)).toMatchObject({ stdout: '200\n' });
  });
});

describe('what a program had set', () => {
  test('stays: NODE_OPTIONS, a sitecustomize, a proxy and its exceptions', async () => {
    await mkdir(folder.file('python'));
    await writeFile(folder.file('python/sitecustomize.py'), 'import builtins\nbuiltins.existing = "kept"\n');
    await writeFile(folder.file('kept.cjs'), 'globalThis.existing = "kept";');
    const asked: string[] = [];
    const upstream = createServer().on('connect', (request: { url: string }, socket: Socket) => {
      asked.push(request.url);
      socket.end('HTTP/1.1 503 Busy\r\n\r\n');
    });
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require ${folder.file('kept.cjs')}`,
      PYTHONPATH: folder.file('python'),
      HTTPS_PROXY: `http://127.0.0.1:${await listen(upstream)}`,
      NO_PROXY: 'intra.example, .x.com,*',
    };
    await using led = await startLedServer({ env, allow: ['*.allowed.example'] });
    expect(led.env['NO_PROXY']).toBe('localhost,127.0.0.1,::1,intra.example');
    expect(await run([process.execPath, '-p', 'existing'], led.env)).toMatchObject({ stdout: 'kept\n' });
    if (python !== undefined) {
      expect(await run([python, '-c', 'print(existing)'], led.env)).toMatchObject({ stdout: 'kept\n' });
    }
    // A preloaded program reaches other hosts through its proxy; any other program reaches those that are allowed.
    const { port } = new URL(led.lead.proxyUrl);
    const connectTo = (host: string) => `
      require('node:http').request({ port: ${port}, method: 'CONNECT', path: '${host}:443' })
        .on('connect', ({ statusCode }) => process.exit(statusCode === 403 ? 3 : 0)).end();
    `;
    const outcomes = [
      await run([process.execPath, '-e', connectTo('other.example')], led.env),
      await run([process.execPath, '-e', connectTo('api.allowed.example')], process.env),
      await run([process.execPath, '-e', connectTo('other.example')], process.env),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 3]);
    expect(asked).toEqual(['other.example:443', 'api.allowed.example:443']);
    expect(await led.lead.refusals()).toEqual(new Map([['other.example', 1]]));
  });
});

describe('the proxy', () => {
  test.each([
    ['GET / HTTP/1.1\r\nHost: bank.example\r\n\r\n', '400'],
    ['GET ftp://x.com/ HTTP/1.1\r\nHost: x.com\r\n\r\n', '400'],
    ['CONNECT api.x.com HTTP/1.1\r\nHost: api.x.com\r\n\r\n', '400'],
    ['CONNECT [::1:443 HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    ['CONNECT api.x.com:99999 HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    ['CONNECT user@api.x.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    ['CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: api.x.com\r\n\r\n', '403'],
    ['GET http://x.com@192.0.2.1/ HTTP/1.1\r\nHost: x.com\r\n\r\n', '403'],
    ['GET /2/openapi.json HTTP/1.1\r\nHost: API.x.com.\r\n\r\n', '200'],
    ['\u0000\u0001\u0002\r\n\r\n', '400'],
  ])('answers %j with %s', async (request, status) => {
    const { port } = new URL(server.lead.proxyUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString().split(' ')[1]).toBe(status);
  });

  test.each(['099 No', '200 \u0001', '101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade'])(
    'answers 502 for a server of this machine whose answer begins with %j',
    async (head) => {
      const target = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`));
      });
      const { port } = new URL(server.lead.proxyUrl);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`GET http://127.0.0.1:${await listen(target)}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(answer.toString().split(' ')[1]).toBe('502');
    },
  );

  test('reads a password of the outer proxy whose percent signs encode nothing', () => {
    expect(upstreamOf('http://me:50%@127.0.0.1:9')?.headers).toEqual({
      'Proxy-Authorization': `Basic ${Buffer.from('me:50%').toString('base64')}`,
    });
  });
});
