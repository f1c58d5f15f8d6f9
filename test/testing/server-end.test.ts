import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { builtScript } from '../support/program.js';
import { openTesting } from './open-testing.js';

/** Starts a server, prints its URL and does not end by itself. */
const PROGRAM = `
  import { startPipit } from ${JSON.stringify(builtScript('testing.ts'))};
  console.log((await startPipit()).url);
  setInterval(() => {}, 1_000);
`;

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a server ends with a process that %s ends before it could stop it',
  async (signal) => {
    const tests = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env: { ...process.env, PIPIT_URL: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(tests.stdout, 'data')) as [Buffer];
    tests.kill(signal);
    await once(tests, 'exit');
    await expect.poll(() => answers(url.toString().trim()), { timeout: 10_000 }).toBe(false);
  },
);

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test('a server that cannot start ends at once', async () => {
  const { startPipit, PipitNotStarted } = await openTesting();
  const start = startPipit({ world: { users: [{ id: 'x' }] } as never });
  await expect(start).rejects.toThrow(PipitNotStarted);
  await expect(start).rejects.toThrow(/ended before it was ready/);
});
