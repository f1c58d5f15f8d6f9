import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { startLedServer, type LedServer } from './support/led-server.js';

/**
 * Programs that send their users to X to sign in. Each prints the address, reads the redirect or the PIN, and prints the
 * username of the signed-in user. `pipit authorize` does what a person would do in a browser.
 */

const FOLDER = join(import.meta.dirname, 'sign-ins');
const PYTHON = '/usr/bin/python3';
const hasTweepy = spawnSync(PYTHON, ['-c', 'import tweepy']).status === 0;

let server: LedServer;

beforeAll(async () => {
  server = await startLedServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(await readdir(FOLDER))('%s', (file) => {
  const isPython = file.endsWith('.py');

  test.skipIf(isPython && !hasTweepy)('signs a user in (skipped where `import tweepy` fails)', async () => {
    const child = spawn(isPython ? PYTHON : process.execPath, [join(FOLDER, file)], {
      env: server.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const address = String((await lines.next()).value);
    expect(new URL(address).host).toMatch(/^(api\.)?(x|twitter)\.com$/);
    const env = { PIPIT_URL: server.url, PIPIT_PASSWORD: 'demo-password' };
    const authorized = await runCli(['authorize', address, '--as', '@maya'], { env });
    expect(authorized).toMatchObject({ status: 0, stderr: '' });
    const exited = once(child, 'exit');
    child.stdin.end(`${authorized.stdout}\n`);
    expect((await lines.next()).value).toBe('maya');
    expect(await exited).toEqual([0, null]);
  });
});
