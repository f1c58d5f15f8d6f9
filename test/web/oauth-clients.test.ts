import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { auth, Client } from 'twitter-api-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { CALLBACK, NATIVE_APP, PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** Published clients, unmodified but for the host; a browser without script stands between their steps. */

let app: TestApp;
let url: string;
let browser: Browser;

beforeAll(async () => {
  const world = webWorld();
  const apps = (world['apps'] ?? []).map((entry) => ({ ...(entry as object), redirect_uris: [CALLBACK] }));
  app = await startTestApp({ world: { ...world, apps } });
  url = await app.listen();
  browser = openBrowser(app);
  await browser.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

/** Allows what a client asks for at this address; where the browser is sent then, or the PIN that it is shown. */
async function allowAt(address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const page = await browser.get(pathname + search);
  const answer = page.location === undefined ? await browser.submit(page, {}, 'approve') : page;
  return answer.location ?? />(\d{7})</.exec(answer.text)?.[1] ?? '';
}

describe('the TypeScript SDK of 2022', () => {
  test.each([
    ['confidential', { client_id: WEB_APP.client_id, client_secret: WEB_APP.client_secret }],
    ['public', { client_id: NATIVE_APP.client_id }],
  ])('goes through OAuth 2.0 as a %s client: code, refresh and revoke', async (_, credentials) => {
    const user = new auth.OAuth2User({
      ...credentials,
      callback: CALLBACK,
      scopes: ['tweet.read', 'users.read', 'offline.access'],
      request_options: { base_url: url },
    });
    const client = new Client(user, { base_url: url });
    const link = user.generateAuthURL({ state: 'a-state', code_challenge_method: 's256' });
    const back = new URL(await allowAt(link));
    await user.requestAccessToken(back.searchParams.get('code') ?? '');
    expect((await client.users.findMyUser()).data?.username).toBe('alice');
    const { token } = await user.refreshAccessToken();
    expect((await client.users.findMyUser()).data?.username).toBe('alice');
    expect(token.scope).toBe('tweet.read users.read offline.access');
    expect(await user.revokeAccessToken()).toMatchObject({ revoked: true });
  });
});

/** Runs a Python script that opens addresses in the browser between its steps; resolves to its results. */
async function runFlows(interpreter: string, file: string): Promise<unknown> {
  const script = spawn(interpreter, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const say = (line: string) => script.stdin.write(`${line}\n`);
  say(
    JSON.stringify({
      port: Number(new URL(url).port),
      apiKey: WEB_APP.api_key,
      apiSecret: WEB_APP.api_secret,
      clientId: WEB_APP.client_id,
      clientSecret: WEB_APP.client_secret,
      publicClientId: NATIVE_APP.client_id,
      callback: CALLBACK,
    }),
  );
  let results: unknown;
  for await (const line of createInterface({ input: script.stdout })) {
    const told = JSON.parse(line) as { open?: string; results?: unknown };
    if (told.open !== undefined) say(await allowAt(told.open));
    results = told.results;
  }
  return results;
}

/** The distribution's interpreter knows the distribution's packages; others may come first in the path. */
const pythonWith = (module: string): string | undefined =>
  ['/usr/bin/python3', 'python3'].find(
    (candidate) => spawnSync(candidate, ['-c', `import ${module}`]).status === 0,
  );

const forTweepy = pythonWith('tweepy');
describe.skipIf(forTweepy === undefined)('tweepy (skipped where `import tweepy` fails)', () => {
  test('goes through OAuth 1.0a with callback and PIN, OAuth 2.0 as both kinds of client, and app-only', async () => {
    const everywhere = { callback: 'alice', pin: 'alice', confidential: 'alice', public: 'alice' };
    expect(await runFlows(String(forTweepy), 'tweepy_handlers.py')).toEqual({
      ...everywhere,
      appOnly: 'alice',
    });
  });
});

const forOAuthlib = pythonWith('requests_oauthlib');
describe.skipIf(forOAuthlib === undefined)(
  'requests-oauthlib (skipped where `import requests_oauthlib` fails)',
  () => {
    test('goes through the flows of the samples: without a callback, signed in the query, with a short verifier', async () => {
      expect(await runFlows(String(forOAuthlib), 'requests_oauthlib_flows.py')).toEqual({
        callbackInQuery: 'alice',
        noCallback: 'alice',
        signedInQuery: 'alice',
        shortVerifier: 'alice',
      });
    });
  },
);
