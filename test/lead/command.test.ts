import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { startLedServer, type LedServer } from './support/led-server.js';
import { run, type Outcome } from './support/run.js';

/** `pipit lead`, with the authority of one folder, which takes longer to create than everything else. */

const hasCurl = spawnSync('curl', ['--version']).status === 0;

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
let server: LedServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const commandLine = (args: readonly string[]): [string, ...string[]] => [
  process.execPath,
  ...PROGRAM,
  'lead',
  '--authority',
  folder.path,
  ...args,
];

/** Leads a program to a running server, which saves the start of another. */
const lead = (args: readonly string[], input?: string): Promise<Outcome> =>
  run(commandLine(['--url', server.url, ...args]), process.env, input);

const node = (script: string): string[] => ['--', process.execPath, '-e', script];

describe('pipit lead', () => {
  test('starts a server with the demo world and its credentials, and stops it with the program', async () => {
    const script = `
      const headers = { authorization: 'Bearer ' + process.env.PIPIT_BEARER_TOKEN };
      fetch('https://api.x.com/2/users/by/username/' + process.env.PIPIT_USERNAME, { headers })
        .then(async (answer) => console.log(process.env.PIPIT_URL, (await answer.json()).data.id));
    `;
    const { status, stdout, stderr } = await run(commandLine(node(script)));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, url = ''] = /^(http:\/\/127\.0\.0\.1:\d+) 11\n$/.exec(stdout) ?? [];
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('leads to the links that the server writes, if its base URL is a host of X', async () => {
    const script = `
      const { TwitterApi } = require('twitter-api-v2');
      const { v2 } = new TwitterApi(process.env.PIPIT_BEARER_TOKEN);
      v2.sendComplianceJob({ type: 'tweets', ids: ['1'] }).then(({ data }) =>
        console.log(new URL(data.upload_url).origin));
    `;
    const env = { ...process.env, PIPIT_BASE_URL: 'https://x.com' };
    expect(await run(commandLine(node(script)), env)).toEqual({
      status: 0,
      stdout: 'https://x.com\n',
      stderr: '',
    });
  });

  test('loads world files in place of the demo world', async () => {
    const script = 'console.log(process.env.PIPIT_BEARER_TOKEN)';
    const { stdout } = await run(commandLine(['--load', 'examples/pond.json', ...node(script)]));
    expect(stdout).toBe('pond-bearer-token\n');
  });

  test('leaves the standard input and output to the program', async () => {
    const outcome = await lead(['--', 'sh', '-c', 'cat; echo done >&2'], 'some input');
    expect(outcome).toEqual({ status: 0, stdout: 'some input', stderr: 'done\n' });
  });

  test.each([
    ['of the program', 'exit 7', 7],
    ['of a program that a signal ended, as a shell gives it', 'kill -TERM $$', 143],
  ])('ends with the status %s', async (_, script, status) => {
    expect(await lead(['--', 'sh', '-c', script])).toEqual({ status, stdout: '', stderr: '' });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes %s on and waits for the program',
    async (signal) => {
      const script = `
      process.on('${signal}', () => { console.log('asked'); setTimeout(() => process.exit(5), 50); });
      console.log('ready');
      setInterval(() => {}, 1000);
    `;
      const [file, ...args] = commandLine(['--url', server.url, ...node(script)]);
      const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill(signal);
      const [asked] = (await once(child.stdout, 'data')) as [Buffer];
      expect(asked.toString()).toBe('asked\n');
      expect(await once(child, 'exit')).toEqual([5, null]);
    },
  );

  test('says that there is no such program', async () => {
    expect(await lead(['--', 'no-such-program'])).toEqual({
      status: 127,
      stdout: '',
      stderr: 'pipit: there is no command no-such-program\n',
    });
    expect(await lead(['--', import.meta.filename])).toMatchObject({
      status: 126,
      stderr: expect.stringContaining('permission denied'),
    });
  });

  test.skipIf(!hasCurl)('reports what it refused, after the program (skipped without curl)', async () => {
    // A program without preload: the variables of the proxy are all it has.
    const script = 'curl -s -o /dev/null http://bank.example/; curl -s https://bank.example/; true';
    const { stderr } = await lead(['--', 'sh', '-c', script]);
    expect(stderr).toBe(
      'pipit: refused 2 times: a request to bank.example, which is not a host of X; --allow bank.example permits it\n',
    );
  });

  test('ends its program when it is killed, and the next one removes its files', async () => {
    const script = 'console.log(process.env.SSL_CERT_FILE); setInterval(() => {}, 1000)';
    const [file, ...args] = commandLine(['--url', server.url, ...node(script)]);
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [certificates] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    // Its standard output is that of the program: it closes when both have ended.
    await once(child.stdout, 'close');
    const left = dirname(certificates.toString().trim());
    // Folders of the last minute count as used.
    await utimes(join(left, 'lock'), 0, 0);
    await lead(['--', 'true']);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  test.skipIf(process.platform !== 'linux')(
    'says that it cannot write into /proc (skipped elsewhere)',
    async () => {
      const args = [process.execPath, ...PROGRAM, 'lead', '--url', server.url, '--', 'true'];
      const { status, stderr } = await run(['sh', '-c', 'cd /proc && exec "$@"', 'sh', ...args]);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot mkdir \/proc\/data/)]);
    },
  );

  test('removes its files', async () => {
    const { stdout } = await lead(node('console.log(process.env.SSL_CERT_FILE)'));
    await expect(stat(stdout.trim())).rejects.toThrow('ENOENT');
  });

  test.skipIf(!hasCurl)('leads in the background with --print-env (skipped without curl)', async () => {
    const script = `
      variables=$(${commandLine(['--url', server.url, '--print-env']).join(' ')}) || exit
      eval "$variables"
      curl --silent --output /dev/null --write-out '%{http_code} ' https://api.x.com/2/openapi.json
      kill "$PIPIT_LEAD_PID"
      while kill -0 "$PIPIT_LEAD_PID" 2>/dev/null; do sleep 0.05; done
      ls "$SSL_CERT_FILE" 2>/dev/null || echo removed
    `;
    expect(await run(['sh', '-c', script])).toEqual({ status: 0, stdout: '200 removed\n', stderr: '' });
  });

  test('prints variables in the format of $GITHUB_ENV, and why it cannot lead', async () => {
    const { stdout } = await lead(['--print-env', 'github']);
    const variables = new Map(stdout.split('\n').map((line) => line.split('=', 2) as [string, string]));
    process.kill(Number(variables.get('PIPIT_LEAD_PID')));
    expect(variables.get('PIPIT_URL')).toBe(server.url);
    const refused = await run(commandLine(['--url', 'http://x.com', '--print-env']));
    expect(refused).toEqual({ status: 2, stdout: '', stderr: 'pipit: --url names a host of X: x.com\n' });
  });

  test.each([
    [['--url', 'https://x.com', '--', 'true'], 2, /--url must be an http URL/],
    [['--url', 'http://api.x.com', '--', 'true'], 2, /--url names a host of X/],
    [['--url', 'http://127.0.0.1:1', '--load', 'demo', '--', 'true'], 2, /--load is for a new server/],
    [['--load', 'no-such-file.json', '--', 'true'], 1, /no-such-file\.json/],
    [[], 2, /name a program/],
    [['--', ''], 2, /name a program/],
    [['--url', 'http://127.0.0.1:1', '--', 'true'], 1, /no server answers at http:\/\/127\.0\.0\.1:1/],
    [['--print-env', '--', 'true'], 2, /leads no program/],
    [['--print-env', 'csh'], 2, /Allowed choices are shell, github/],
  ])('refuses %j', async (args, status, reason) => {
    const outcome = await runCli(['lead', '--authority', folder.path, ...args]);
    expect(outcome).toMatchObject({ status, stderr: expect.stringMatching(reason) });
  });
});
