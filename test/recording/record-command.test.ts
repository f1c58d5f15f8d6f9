import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { startRecording } from '../../src/recording/recording.js';
import { startTestApp } from '../support/app.js';
import { runCli, spawnCli, temporaryFolder, type CliProcess } from '../support/cli.js';

test('pipit record records until it is stopped and reports what it wrote', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-record-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const original = await startTestApp();
  onTestFinished(original.close);
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => (stop = resolve));
  let start = (_url: string): void => undefined;
  const started = new Promise<string>((resolve) => (start = resolve));
  const ended = runCli(
    ['record', '--out', 'recorded', '--target', await original.listen(), '--port', '0', '--json'],
    {
      folder,
      stopRequested: () => stopRequested,
      note: (line) => {
        start(/at (\S+);/.exec(line)?.[1] ?? '');
      },
    },
  );
  const url = await started;
  await fetch(`${url}/2/users/by/username/bob`, { headers: { authorization: `Bearer ${original.bearer}` } });
  stop();
  const { status, stdout } = await ended;
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ requests: 1, world: { users: 1 }, completed_users: 0 }),
  ]);
  expect((await readdir(join(folder, 'recorded'))).sort()).toEqual(['journal.har', 'world.json']);
});

test('a recording that is killed keeps what has passed, for the next one and for --finish', async () => {
  await using folder = await temporaryFolder();
  const original = await startTestApp();
  onTestFinished(original.close);
  const headers = { authorization: `Bearer ${original.bearer}` };
  const record = ['record', '--out', 'recorded', '--target', await original.listen(), '--port', '0'];
  const recordUntilKilled = async (username: string) => {
    await using recording = spawnCli(record, folder.path);
    const [, url = ''] = await untilNoted(recording, /at (\S+);/);
    expect((await fetch(`${url}/2/users/by/username/${username}`, { headers })).status).toBe(200);
    const refused = await runCli(record, { folder: folder.path });
    expect(refused.stderr).toMatch(/another recording writes into/);
    // A second at most may be lost.
    await expect
      .poll(() => readFile(folder.file('recorded/recording.jsonl'), 'utf8'))
      .toContain(`"username":"${username}"`);
    recording.child.kill('SIGKILL');
    await recording.exit();
    return recording.stderr();
  };
  await recordUntilKilled('alice');
  // As if the machine had lost its power in the middle of a line.
  await appendFile(folder.file('recorded/recording.jsonl'), '{"sighting":{"kind":"us');
  expect(await recordUntilKilled('bob')).toContain('continuing a recording that did not end, with 1 request');

  const elsewhere = await runCli([...record, '--target', 'http://127.0.0.1:1'], { folder: folder.path });
  expect(elsewhere.stderr).toMatch(/pipit record --finish/);
  const finish = ['record', '--out', 'recorded', '--finish', '--json'];
  const { status, stdout } = await runCli(finish, { folder: folder.path });
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ requests: 2, world: { users: 2 } }),
  ]);
  expect((await readdir(folder.file('recorded'))).sort()).toEqual(['journal.har', 'world.json']);
  expect((await stat(folder.file('recorded/world.json'))).mode & 0o777).toBe(0o600);
  const again = await runCli(finish, { folder: folder.path });
  expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/no recording that did not end/)]);
});

/** Returns the match of what a process notes on standard error. */
async function untilNoted({ child, stderr }: CliProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(stderr());
    if (match) return match;
    await once(child.stderr ?? expect.fail('no standard error'), 'data');
  }
}

test('a program that pipit lead leads to a recording keeps the host that it signs for', async () => {
  await using folder = await temporaryFolder();
  const original = await startTestApp();
  onTestFinished(original.close);
  const { appKey, appSecret, ...user } = await original.oauth1('alice');
  const recording = await startRecording({
    folder: folder.path,
    target: new URL(await original.listen()),
    port: 0,
    version: '1',
    clock: systemClock,
  });
  await writeFile(
    folder.file('program.cjs'),
    `const { TwitterApi } = require(${JSON.stringify(createRequire(import.meta.url).resolve('twitter-api-v2'))});
     new TwitterApi(${JSON.stringify({ appKey, appSecret, ...user })}).v2.me()
       .then(({ data }) => console.log(data.username), (error) => console.error(error));`,
  );
  const args = ['lead', '--url', recording.url, '--authority', folder.file('authority'), '--'];
  await using led = spawnCli([...args, process.execPath, folder.file('program.cjs')], folder.path);
  expect([await led.exit(), led.stdout(), led.stderr()]).toEqual([0, 'alice\n', '']);
  expect((await recording.finish()).world).toEqual({ users: 1 });
});

test.each([
  [['record'], /required option '--out/],
  [['record', '--out', 'x', '--target', 'api.x.com'], /address of a server/],
  [['record', '--out', 'x', '--target', 'ftp://api.x.com'], /address of a server/],
  [['record', '--out', 'x', '--port', '70000'], /number from 0 to 65535/],
])('refuses %j as wrong usage', async (args, message) => {
  const { status, stderr } = await runCli(args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});
