import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { exec } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCli, spawnCli, temporaryFolder } from '../support/cli.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';
import type { LooseJson } from '../support/loose-json.js';

const shell = promisify(exec);

async function getJson(url: string, token: string) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as LooseJson };
}

test('the first start creates an owner, an app and tokens, keeps them, and prints a working curl command', async () => {
  await using folder = await temporaryFolder();
  const args = ['serve', '--port', '0'];
  const file = folder.file('data/credentials.json');
  await using first = spawnCli(args, folder.path);
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
  const me = await getJson(`${url}/2/users/me`, credentials.oauth2.access_token);
  expect(me.body.data.username).toBe('owner');
  first.child.kill('SIGTERM');
  expect(await first.exit()).toBe(0);

  await using second = spawnCli(args, folder.path);
  const again = await getJson(`${await second.ready()}/2/users/me`, credentials.oauth2.access_token);
  expect(again.status).toBe(200);
  expect(second.stderr()).not.toContain('first start');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(credentials);
  second.child.kill('SIGINT');
  expect(await second.exit()).toBe(0);
});

test('a start with an https base URL and no declared proxy warns about sign-in', async () => {
  await using folder = await temporaryFolder();
  const args = ['serve', '--port', '0', '--base-url', 'https://pond.example'];
  for (const [declared, isTold] of [
    [[], true],
    [['--trusted-proxy', '127.0.0.1'], false],
  ] as const) {
    await using server = spawnCli([...args, ...declared], folder.path);
    await server.ready();
    expect(server.stderr().includes('none is declared')).toBe(isTold);
    server.child.kill('SIGTERM');
    await server.exit();
  }
});

test('an interrupted first start continues with the credentials file it wrote', async () => {
  await using folder = await temporaryFolder();
  const args = ['serve', '--port', '0', '--log-level', 'silent'];
  await using first = spawnCli(args, folder.path);
  await first.ready();
  first.child.kill('SIGTERM');
  await first.exit();
  const file = folder.file('data/credentials.json');
  const credentials = JSON.parse(await readFile(file, 'utf8'));

  // A crash between file and database leaves the file and an empty database.
  await mkdir(folder.file('other'), { mode: 0o700 });
  await writeFile(folder.file('other/credentials.json'), JSON.stringify(credentials), { mode: 0o600 });
  await using second = spawnCli([...args, '--database', 'sqlite:other/pipit.db'], folder.path);
  expect((await getJson(`${await second.ready()}/2/users/me`, credentials.oauth2.access_token)).status).toBe(
    200,
  );
});

test('an unrelated credentials file is not overwritten', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('data'));
  await writeFile(folder.file('data/credentials.json'), '{"mine":true}');
  await using server = spawnCli(['serve', '--port', '0'], folder.path);
  expect(await server.exit()).toBe(1);
  expect(server.stderr()).toMatch(
    /^pipit: .*credentials\.json does not contain first-start credentials.*\n$/,
  );
  expect(await readFile(folder.file('data/credentials.json'), 'utf8')).toBe('{"mine":true}');
});

test('the first credentials are printed for a database in memory', async () => {
  await using folder = await temporaryFolder();
  await using server = spawnCli(['serve', '--port', '0', '--database', 'sqlite::memory:'], folder.path);
  const url = await server.ready();
  const line = server
    .stderr()
    .split('\n')
    .find((text) => text.startsWith('{"username"'));
  const credentials = JSON.parse(line ?? '{}');
  expect((await getJson(`${url}/2/users/by/username/owner`, credentials.bearer_token)).status).toBe(200);
  await expect(stat(folder.file('data'))).rejects.toThrow(/ENOENT/);
});

test('--load loads world files before the server listens, and skips the first start', async () => {
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
});

test('a refused world file stops the start with its path and reason', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), '{"follows":[{"from":"a","to":"b"}]}');
  await using server = spawnCli(['serve', '--port', '0', '--load', 'world.json'], folder.path);
  expect(await server.exit()).toBe(1);
  expect(server.stdout()).toBe('');
  expect(server.stderr()).toBe(
    'pipit: world.json: $.follows[0].from: no user "a" in this file or in the database' +
      '\npipit: world.json: $.follows[0].to: no user "b" in this file or in the database\n',
  );
});

test('a port in use gives one line and status 1, and stores nothing', async () => {
  await using folder = await temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await using server = spawnCli(['serve', '--port', String(port)], folder.path);
  expect(await server.exit()).toBe(1);
  expect(server.stderr()).toBe(`pipit: cannot listen on 127.0.0.1:${port}: the port is in use\n`);
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
  expect(outcome.stderr).toMatch(/^pipit: cannot create .*: cannot mkdir .*: the name is in use$/);
  expect(outcome.stderr.split('\n')).toHaveLength(1);
});

test('SIGTERM lets a request in flight complete, then the process exits with 0', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(standardWorld()));
  await using server = spawnCli(['serve', '--port', '0', '--load', 'world.json'], folder.path);
  const url = await server.ready();
  const { json } = await runCli(
    ['token', 'create', '--app', APP.id, '--user', 'bob', '--kind', 'oauth2', '--json'],
    { env: { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` } },
  ).then(({ stdout }) => ({ json: JSON.parse(stdout) }));

  const body = JSON.stringify({ text: 'sent in two halves' });
  const headers = {
    authorization: `Bearer ${json.access_token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  };
  const post = request(`${url}/2/tweets`, { method: 'POST', headers, agent: false });
  // The server has the request once it asks for the body.
  post.flushHeaders();
  await once(post, 'continue');
  post.write(body.slice(0, 10));
  server.child.kill('SIGTERM');
  while (!server.stderr().includes('stopping')) await once(server.child.stderr ?? post, 'data');
  post.end(body.slice(10));
  const [answer] = await once(post, 'response');
  expect(answer.statusCode).toBe(201);
  answer.resume();
  expect(await server.exit()).toBe(0);

  const shown = await runCli(['user', 'show', 'bob', '--json'], {
    env: { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` },
  });
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: USERS.bob, public_metrics: { tweet_count: 3 } });
});

test('a second signal does not wait for requests in flight', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(standardWorld()));
  await using server = spawnCli(['serve', '--port', '0', '--load', 'world.json'], folder.path);
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': 10,
    expect: '100-continue',
  };
  const post = request(`${await server.ready()}/2/tweets`, { method: 'POST', headers: form, agent: false });
  post.on('error', () => undefined);
  post.flushHeaders();
  await once(post, 'continue');
  server.child.kill('SIGTERM');
  while (!server.stderr().includes('stopping')) await once(server.child.stderr ?? post, 'data');
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(1);
});

test('two processes started concurrently on an empty database agree on its first credentials', async () => {
  await using folder = await temporaryFolder();
  const args = ['serve', '--port', '0', '--share-database'];
  await using one = spawnCli(args, folder.path);
  await using other = spawnCli(args, folder.path);
  const urls = await Promise.all([one.ready(), other.ready()]);
  const { oauth2 } = JSON.parse(await readFile(folder.file('data/credentials.json'), 'utf8'));
  for (const url of urls) expect((await getJson(`${url}/2/users/me`, oauth2.access_token)).status).toBe(200);
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

test('an error outside of any request is logged, and the server continues', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(UNHANDLED)}`;
  const env = { ...process.env, NODE_OPTIONS: `--import ${preload}` };
  await using server = spawnCli(['serve', '--port', '0', '--database', 'sqlite::memory:'], undefined, env);
  const url = await server.ready();
  for (let count = 0; count < 2; count += 1) {
    expect((await fetch(`${url}/2/openapi.json`, { headers: { 'x-escape': '1' } })).status).toBe(200);
  }
  expect((await fetch(`${url}/2/openapi.json`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
  const escaped = server.stderr().match(/.*uncaught error.*/g) ?? [];
  expect(escaped.filter((line) => line.includes('"thrown"'))).toHaveLength(2);
  expect(escaped).toHaveLength(4);
});
