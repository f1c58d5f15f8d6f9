import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxOperations } from '../../src/sandbox/operations/all.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

let pipit: TestSandbox;

beforeAll(async () => {
  pipit = await startTestSandbox({ flags: { sandboxSeed: '1', sandboxKey: 'correct-horse-battery' } });
});

afterAll(() => pipit[Symbol.asyncDispose]());

const env = () => ({ PIPIT_URL: pipit.url, PIPIT_SANDBOX_KEY: 'correct-horse-battery' });
const sandbox = (...args: string[]) => runCli(['sandbox', ...args], { env: env() });

/** Runs a command that succeeds, and returns what it prints as JSON. */
async function answerOf(...args: string[]) {
  const { status, stdout, stderr } = await sandbox(...args, '--json');
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout).data;
}

test('each operation that is a command is in the help, with its own help', async () => {
  const { stdout, status } = await sandbox('--help');
  expect(status).toBe(0);
  const commands = sandboxOperations.flatMap(({ command }) => (command === undefined ? [] : [command]));
  expect(new Set(commands).size).toBe(commands.length);
  for (const command of commands) {
    const [first = ''] = command.split(' ');
    expect(stdout).toContain(first);
    const help = await sandbox(...command.split(' '), '--help');
    expect([command, help.status, help.stdout]).toEqual([
      command,
      0,
      expect.stringContaining(`pipit sandbox ${command}`),
    ]);
  }
  expect((await sandbox()).stdout).toBe(stdout);
});

test('state, reset, snapshots and the clock on the command line', async () => {
  expect(await answerOf('state')).toMatchObject({ seed: 1, snapshots: [], base_url: pipit.url });
  expect(await answerOf('snapshot', 'create', '--name', 'start')).toMatchObject({ name: 'start' });
  expect(await answerOf('clock', 'advance', '--duration', '90m')).toEqual({
    time: '2026-01-01T01:30:00.000Z',
    mode: 'frozen',
  });
  expect((await answerOf('clock', 'set', '--time', '2026-02-01T00:00:00Z')).time).toBe(
    '2026-02-01T00:00:00.000Z',
  );
  expect((await answerOf('clock', 'run')).mode).toBe('running');
  expect((await answerOf('clock', 'freeze')).mode).toBe('frozen');
  expect(await answerOf('snapshot', 'list')).toMatchObject([{ name: 'start' }]);
  expect(await answerOf('snapshot', 'restore', 'start')).toMatchObject({ name: 'start' });
  expect(await answerOf('clock')).toEqual({ time: '2026-01-01T00:00:00.000Z', mode: 'frozen' });
  expect(await answerOf('snapshot', 'delete', 'start')).toMatchObject({ name: 'start' });
  expect(await answerOf('reset', '--seed', '9')).toMatchObject({ seed: 9 });
});

test('without --json, an answer is a line for each member', async () => {
  const { stdout } = await sandbox('clock');
  expect(stdout).toBe('time: 2026-01-01T00:00:00.000Z\nmode: frozen');
});

test('a list is a repeated option, and a body may come from a file or from standard input', async () => {
  const scopes = ['--scopes', 'tweet.read', '--scopes', 'users.read'];
  expect(await answerOf('token', '--username', 'bob', ...scopes)).toMatchObject({
    user: { username: 'bob' },
    scopes: ['tweet.read', 'users.read'],
  });
  await using folder = await temporaryFolder();
  const file = folder.file('body.json');
  await writeFile(file, '{"username":"carol"}');
  expect((await answerOf('token', '--body', file)).user.username).toBe('carol');
  const piped = await runCli(['sandbox', 'token', '--body', '-', '--json'], {
    env: env(),
    stdin: Readable.from(['{"kind":"app"}']),
  });
  expect(JSON.parse(piped.stdout).data.kind).toBe('app');
});

test('a refusal is one line: status 2 for a wrong value, 1 for everything else', async () => {
  expect(await sandbox('clock', 'set', '--time', '2001-01-01T00:00:00Z')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The clock only moves forward'),
  });
  expect(await sandbox('snapshot', 'restore', 'nothing')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Could not find snapshot with name: [nothing]'),
  });
  expect((await sandbox('token', '--body', 'x', '--username', 'alice')).status).toBe(2);
  expect((await sandbox('reset', '--speed', '1')).stderr).toContain("unknown option '--speed'");
  expect((await sandbox('snapshot', 'create', '--name', 'a b')).status).toBe(2);
  expect((await sandbox('nothing')).status).toBe(2);
});

test('a missing key, a missing server and a server without sandbox are reported', async () => {
  const at = (url: string) => runCli(['sandbox', 'state', '--url', url]);
  expect((await at(pipit.url)).stderr).toContain('requires its key');
  expect((await at('http://127.0.0.1:1')).stderr).toContain('no server answers at http://127.0.0.1:1');
  expect((await at('nowhere')).status).toBe(2);
  await using plain = await startTestSandbox();
  expect((await at(`${plain.url}/x/`)).stderr).toContain('is no sandbox');
});

test('a world on the command line: export, add, replace', async () => {
  const { stdout, status } = await sandbox('world', 'export', '--json');
  expect(status).toBe(0);
  const world = JSON.parse(stdout);
  expect(world.users.map(({ username }: { username: string }) => username)).toContain('alice');
  await using folder = await temporaryFolder();
  const file = folder.file('world.json');
  await writeFile(file, '{"users":[{"id":"7001","username":"erin","name":"Erin"}]}');
  expect((await answerOf('world', 'load', '--body', file)).added.users).toBe(1);
  await writeFile(file, stdout);
  expect((await answerOf('world', 'replace', '--body', file)).added.users).toBe(world.users.length);
  await writeFile(file, '{"birds":[]}');
  expect(await sandbox('world', 'load', '--body', file)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('$.birds'),
  });
});
