import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { exec } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig, type ServeFlags } from '../../src/server/config.js';
import { startPipit } from '../../src/server/start.js';
import { bearer, send } from '../processes/support/cluster.js';
import { runCli, serveHere, spawnCli, temporaryFolder, type CliProcess } from '../support/cli.js';
import { APP, POSTS, standardWorld } from '../support/world.js';

const shell = promisify(exec);

const getJson = (url: string, token: string) => send(url, bearer(token));

/** Starts a request whose body the server waits for. */
async function startPost(url: string, headers: OutgoingHttpHeaders) {
  const options = { method: 'POST', headers: { ...headers, expect: '100-continue' }, agent: false };
  const post = request(`${url}/2/tweets`, options);
  post.flushHeaders();
  // The server has the request once it asks for the body.
  await once(post, 'continue');
  return post;
}

async function stopping({ child, stderr }: CliProcess): Promise<void> {
  child.kill('SIGTERM');
  while (!stderr().includes('stopping')) await once(child.stderr ?? child, 'data');
}

test('the first start creates an owner, an app and tokens, keeps them, and prints a working curl command; SIGTERM lets a request in flight complete', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('data/credentials.json');
  await using first = spawnCli(['serve', '--port', '0'], folder.path);
  const url = await first.ready();
  expect(first.stdout()).toBe(`pipit listening on ${url}\n`);
  const credentials = JSON.parse(await readFile(file, 'utf8'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const [line = 'none'] = /curl .*/.exec(first.stderr()) ?? [];
  const { stdout } = await shell(line, { cwd: folder.path });
  expect(JSON.parse(stdout).data).toEqual({ id: credentials.user_id, name: 'Owner', username: 'owner' });
  for (const secret of [credentials.bearer_token, credentials.oauth2.access_token, credentials.api_secret]) {
    expect(first.stderr()).not.toContain(secret);
  }

  const body = JSON.stringify({ text: 'sent in two halves' });
  const post = await startPost(url, {
    ...bearer(credentials.oauth2.access_token),
    'content-type': 'application/json',
    'content-length': body.length,
  });
  post.write(body.slice(0, 10));
  await stopping(first);
  post.end(body.slice(10));
  const [answer] = await once(post, 'response');
  expect(answer.statusCode).toBe(201);
  answer.resume();
  expect(await first.exit()).toBe(0);

  const second = await serveHere(folder.path);
  const me = `${second.url}/2/users/me?user.fields=public_metrics`;
  const again = await getJson(me, credentials.oauth2.access_token);
  expect(again.body.data).toMatchObject({ username: 'owner', public_metrics: { tweet_count: 1 } });
  expect(second.notes).toEqual([]);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(credentials);
  expect(await second.stop()).toBe(0);
});

test('the notes of a first start name the public address', async () => {
  await using folder = await temporaryFolder();
  const server = await serveHere(folder.path, '--host', '0.0.0.0', '--base-url', 'http://pond.example');
  expect(await server.stop()).toBe(0);
  expect(server.notes.join('\n')).toMatch(
    /Sign in at http:\/\/pond\.example\/sign-in [^]* http:\/\/pond\.example\/2\//,
  );
});

test('a start with an https base URL and no declared proxy warns about sign-in', async () => {
  const warningsOf = async (flags: ServeFlags): Promise<string[]> => {
    const warnings: string[] = [];
    const warn = (_fields: object, text: string) => void warnings.push(text);
    const config = readConfig({ port: '0', database: 'sqlite::memory:', ...flags }, {});
    const server = await startPipit(config, { log: { info: () => undefined, warn, error: warn } });
    await server.close();
    return warnings;
  };
  const baseUrl = 'https://pond.example';
  expect(await warningsOf({ baseUrl })).toEqual([expect.stringContaining('none is declared')]);
  expect(await warningsOf({ baseUrl, trustedProxy: ['127.0.0.1'] })).toEqual([]);
});

test('an interrupted first start continues with the credentials file it wrote', async () => {
  await using folder = await temporaryFolder();
  const first = await serveHere(folder.file('one'));
  await first.stop();
  const credentials = await readFile(folder.file('one/data/credentials.json'), 'utf8');

  // A crash between file and database leaves the file and an empty database.
  await mkdir(folder.file('other/data'), { mode: 0o700, recursive: true });
  await writeFile(folder.file('other/data/credentials.json'), credentials, { mode: 0o600 });
  const second = await serveHere(folder.file('other'));
  const { access_token: token } = JSON.parse(credentials).oauth2;
  expect((await getJson(`${second.url}/2/users/me`, token)).status).toBe(200);
  await second.stop();
});

test('an unrelated credentials file is not overwritten', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('data'));
  await writeFile(folder.file('data/credentials.json'), '{"mine":true}');
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  const { status, stderr } = await runCli(['serve', '--port', '0'], { env });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^pipit: .*credentials\.json does not contain first-start credentials.*$/);
  expect(await readFile(folder.file('data/credentials.json'), 'utf8')).toBe('{"mine":true}');
});

test('--load loads world files before the server listens, and skips the first start; a second signal does not wait for requests in flight', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(standardWorld()));
  await writeFile(
    folder.file('more.json'),
    JSON.stringify({ users: [{ id: '7', username: 'erin', name: 'Erin' }] }),
  );
  await using server = spawnCli(
    ['serve', '--port', '0', '--load', 'world.json', '--load', 'more.json'],
    folder.path,
  );
  const url = await server.ready();
  const quote = await getJson(`${url}/2/tweets/${POSTS.quote}`, APP.bearer_token);
  expect(quote.body.data.text).toBe(`Look at this ${url}/alice/status/${POSTS.hello}`);
  expect((await getJson(`${url}/2/users/7`, APP.bearer_token)).body.data.username).toBe('erin');
  expect(server.stderr()).toBe(`created the database ${folder.file('data/pipit.db')}\n`);

  const type = 'application/x-www-form-urlencoded';
  const post = await startPost(url, { 'content-type': type, 'content-length': 10 });
  post.on('error', () => undefined);
  await stopping(server);
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(1);
});

test('a refused world file stops the start with its path and reason', async () => {
  await using folder = await temporaryFolder();
  const world = folder.file('world.json');
  await writeFile(world, '{"follows":[{"from":"a","to":"b"}]}');
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  expect(await runCli(['serve', '--port', '0', '--load', world], { env })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      `pipit: ${world}: $.follows[0].from: no user "a" in this file or in the database` +
      `\npipit: ${world}: $.follows[0].to: no user "b" in this file or in the database`,
  });
});

test('a port in use gives one line and status 1, and stores nothing', async () => {
  await using folder = await temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  expect(await runCli(['serve', '--port', String(port)], { env })).toEqual({
    status: 1,
    stdout: '',
    stderr: `pipit: cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
  await expect(stat(folder.file('data'))).rejects.toThrow(/ENOENT/);
  other.close();
});

test('a folder that cannot be created gives one line and status 1', async ({ skip }) => {
  // Root can write everywhere, but not create a folder in place of a file.
  await using folder = await temporaryFolder();
  await writeFile(folder.file('data'), 'no folder');
  await chmod(folder.file('data'), 0o600);
  skip(process.platform === 'win32');
  const outcome = await runCli([
    'serve',
    '--port',
    '0',
    '--database',
    `sqlite:${folder.file('data/pipit.db')}`,
  ]);
  expect(outcome.status).toBe(1);
  expect(outcome.stderr).toMatch(
    /^pipit: cannot create .*: cannot stat .*: part of the path is not a folder$/,
  );
  expect(outcome.stderr.split('\n')).toHaveLength(1);
});

/** On request, throws and rejects in the server outside of any request handler. */
const UNHANDLED = `
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('http.server.request.start', ({ request }) => {
    if (request.headers['x-escape'] === undefined) return;
    setImmediate(() => { throw new Error('thrown'); });
    Promise.reject(Object.defineProperty(new Error('rejected'), 'odd', { enumerable: true, get() { throw 1; } }));
  });
`;

test('a server in memory prints its first credentials; an error outside of any request is logged, and the server continues', async () => {
  await using folder = await temporaryFolder();
  const preload = `data:text/javascript,${encodeURIComponent(UNHANDLED)}`;
  const env = { ...process.env, NODE_OPTIONS: `--import ${preload}` };
  const args = ['serve', '--port', '0', '--database', 'sqlite::memory:'];
  await using server = spawnCli(args, folder.path, env);
  const url = await server.ready();
  const line = server
    .stderr()
    .split('\n')
    .find((text) => text.startsWith('{"username"'));
  const credentials = JSON.parse(line ?? '{}');
  expect((await getJson(`${url}/2/users/by/username/owner`, credentials.bearer_token)).status).toBe(200);
  await expect(stat(folder.file('data'))).rejects.toThrow(/ENOENT/);

  for (let count = 0; count < 2; count += 1) {
    expect((await send(`${url}/2/openapi.json`, { 'x-escape': '1' })).status).toBe(200);
  }
  expect((await send(`${url}/2/openapi.json`)).status).toBe(200);
  server.child.kill('SIGINT');
  expect(await server.exit()).toBe(0);
  const escaped = server.stderr().match(/.*uncaught error.*/g) ?? [];
  expect(escaped.filter((text) => text.includes('"thrown"'))).toHaveLength(2);
  expect(escaped).toHaveLength(4);
});
