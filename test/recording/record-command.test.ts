import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';

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

test.each([
  [['record'], /required option '--out/],
  [['record', '--out', 'x', '--target', 'api.x.com'], /address of a server/],
  [['record', '--out', 'x', '--target', 'ftp://api.x.com'], /address of a server/],
  [['record', '--out', 'x', '--port', '70000'], /number from 0 to 65535/],
])('refuses %j as wrong usage', async (args, message) => {
  const { status, stderr } = await runCli(args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});
