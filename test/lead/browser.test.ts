import { chmod, writeFile } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserOptions, findBrowser } from '../../src/lead/browser.js';
import { temporaryFolder } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { CHROMIUM } from '../web/support/chromium.js';
import { startLedServer, type LedServer } from './support/led-server.js';
import { run } from './support/run.js';

const CALLBACK = 'http://127.0.0.1:3000/callback';

const AUTHORIZE = `https://x.com/i/oauth2/authorize?${new URLSearchParams({
  response_type: 'code',
  client_id: 'demo-client-id',
  redirect_uri: CALLBACK,
  scope: 'tweet.read users.read',
  state: 's',
  code_challenge: 'a-challenge-of-at-least-forty-three-characters',
  code_challenge_method: 'plain',
}).toString()}`;

describe.skipIf(CHROMIUM === undefined)('a led Chromium (skipped where Debian’s is not installed)', () => {
  let server: LedServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startLedServer();
    const args = [...browserOptions(server.lead), '--disable-dev-shm-usage'];
    browser = await chromium.launch({ executablePath: CHROMIUM, args });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test('signs in and consents at x.com', async () => {
    const page = await browser.newPage();
    await page.goto(AUTHORIZE);
    await page.getByLabel('Username').fill('maya');
    await page.getByLabel('Password').fill('demo-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).origin).toBe('https://x.com');
    const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(new URL((await back).url()).searchParams.get('code')).toMatch(/^\S{20,}$/);
  });

  test('reaches no other host', async () => {
    const page = await browser.newPage();
    const answer = await page.goto('http://bank.example/');
    expect(answer?.status()).toBe(403);
    await expect(page.goto('https://bank.example/')).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED');
  });

  test('is opened by --browser and ends with its status', async () => {
    await using folder = await temporaryFolder();
    const program = folder.file('chromium');
    await writeFile(
      program,
      `#!/bin/sh\n${CHROMIUM} --headless=new --disable-dev-shm-usage --dump-dom "$@" && exit 3\n`,
    );
    await chmod(program, 0o755);
    const args = ['lead', '--url', server.url, '--authority', folder.file('lead'), '--browser', program];
    const { status, stdout } = await run([process.execPath, ...PROGRAM, ...args]);
    expect({ status, stdout }).toEqual({
      status: 3,
      stdout: expect.stringContaining('<title>Home · Pipit</title>'),
    });
  });
});

test('the first browser in the path is found', async () => {
  await using folder = await temporaryFolder();
  expect(await findBrowser(folder.path)).toBeUndefined();
  const program = folder.file('google-chrome');
  await writeFile(program, '', { mode: 0o755 });
  expect(await findBrowser(`/no-such-folder:${folder.path}`)).toBe(program);
});
