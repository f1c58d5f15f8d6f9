import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLedServer, type LedServer } from './support/led-server.js';
import { LONGEST_MS, run } from './support/run.js';

/**
 * Programs that know nothing of Pipit: each uses the hosts of X, and prints the username that it reads. The
 * distribution’s interpreters have its packages.
 */

const FOLDER = join(import.meta.dirname, 'programs');
const PYTHON = '/usr/bin/python3';

/** How the programs with an ending run, and what finds out whether they can. */
const RUNTIMES: Readonly<
  Record<string, { run: [string, ...string[]]; check: (name: string) => [string, ...string[]] }>
> = {
  mjs: { run: [process.execPath], check: () => [process.execPath, '--version'] },
  py: { run: [PYTHON], check: (name) => [PYTHON, '-c', `import ${MODULES[name]}`] },
  sh: { run: ['sh'], check: (name) => [name, '--version'] },
  php: { run: ['php'], check: () => ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'] },
  pl: { run: ['perl'], check: (name) => ['perl', `-M${MODULES[name]}`, '-e', '1'] },
  rb: { run: ['ruby'], check: () => ['ruby', '-ropenssl', '-e', '1'] },
  go: { run: ['go', 'run'], check: () => ['go', 'version'] },
};

const MODULES: Readonly<Record<string, string>> = {
  with_aiohttp: 'aiohttp',
  with_authlib: 'authlib, requests',
  with_httpx: 'httpx',
  with_httpx_async: 'httpx',
  with_requests: 'requests',
  with_requests_oauthlib: 'requests_oauthlib',
  with_tweepy: 'tweepy',
  with_tweepy_async: 'tweepy.asynchronous',
  with_tweepy_upload: 'tweepy',
  with_urllib: 'urllib',
  with_uvloop: 'uvloop, aiohttp',
  http_tiny: 'IO::Socket::SSL',
  lwp: 'LWP::Protocol::https',
  net_twitter: 'Net::Twitter',
};

const FILES = (await readdir(FOLDER)).filter((file) => !file.endsWith('.txt'));

let server: LedServer;

beforeAll(async () => {
  server = await startLedServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(FILES)('%s', (file) => {
  const [name = '', ending = ''] = file.split('.');
  const runtime = RUNTIMES[file.slice(file.lastIndexOf('.') + 1)] ?? expect.fail(`no runtime for .${ending}`);
  const [tool, ...args] = runtime.check(name);
  const isInstalled = spawnSync(tool, args).status === 0;

  test.skipIf(!isInstalled)(
    `reaches Pipit (skipped where \`${[tool, ...args].join(' ')}\` fails)`,
    async () => {
      const outcome = await run([...runtime.run, join(FOLDER, file)], server.env);
      expect({ ...outcome, stdout: outcome.stdout.trim() }).toMatchObject({ status: 0, stdout: 'maya' });
      expect(await server.lead.refusals()).toEqual(new Map());
    },
    LONGEST_MS,
  );
});
