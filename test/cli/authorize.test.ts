import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../sandbox/support/sandbox.js';
import { runCli } from '../support/cli.js';
import { readWorldFile } from '../../src/world/world-file.js';

/** `pipit authorize` against a sandbox with the demo world. */

const CALLBACK = 'http://127.0.0.1:3000/callback';

let server: TestSandbox;

/** The requests that an app received at its callback. */
const asked: (string | undefined)[] = [];
const app = createServer(({ url }, response) => {
  asked.push(url);
  response.writeHead(asked.length === 1 ? 302 : 500, { location: '/signed-in' }).end();
});
let callback: string;

beforeAll(async () => {
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/back`;
  const demo = (await readWorldFile('demo')) as { readonly apps: readonly object[] };
  const [first, ...others] = demo.apps;
  const apps = [{ ...first, redirect_uris: [CALLBACK, callback] }, ...others];
  server = await startTestSandbox({ world: { ...demo, apps } });
});
afterAll(async () => {
  app.close();
  await server[Symbol.asyncDispose]();
});

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

function addressWith(changes: Readonly<Record<string, string>> = {}, origin = 'https://x.com'): string {
  const query = {
    response_type: 'code',
    client_id: 'demo-client-id',
    redirect_uri: CALLBACK,
    scope: 'tweet.read users.read',
    state: 'a state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  };
  return `${origin}/i/oauth2/authorize?${new URLSearchParams(query).toString()}`;
}

const authorize = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = { PIPIT_URL: server.url },
) => runCli(['authorize', ...args], { env });

describe('pipit authorize', () => {
  test('consents on a sandbox without a password and prints the redirect, whose code is valid', async () => {
    const { status, stdout } = await authorize([addressWith(), '--as', 'lucia']);
    expect(status).toBe(0);
    const redirect = new URL(stdout);
    expect(redirect.origin + redirect.pathname).toBe(CALLBACK);
    expect(redirect.searchParams.get('state')).toBe('a state');
    const answer = await fetch(`${server.url}/2/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('demo-client-id:demo-client-secret')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: redirect.searchParams.get('code') ?? '',
        redirect_uri: CALLBACK,
        code_verifier: 'dBjftJeZ4CVP-mBn9ZrPOQCeyrjpV0mCUxQMGDhUtg4u',
      }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error_description: expect.stringContaining('verifier') });
  });

  test('takes the server from the address when that is no host of X, and the user from PIPIT_USERNAME', async () => {
    const { stdout } = await authorize([addressWith({}, server.url), '--json'], { PIPIT_USERNAME: 'maya' });
    expect(JSON.parse(stdout)).toEqual({ redirect_to: expect.stringContaining(`${CALLBACK}?`) });
  });

  test('declines with --deny', async () => {
    const { status, stdout } = await authorize([addressWith(), '--as', 'maya', '--deny']);
    expect({ status, error: new URL(stdout).searchParams.get('error') }).toEqual({
      status: 0,
      error: 'access_denied',
    });
  });

  test('signs in with a password', async () => {
    const args = [addressWith(), '--as', 'maya', '--password'];
    expect(await authorize([...args, 'demo-password'])).toMatchObject({ status: 0 });
    expect(await authorize([...args, 'wrong'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^pipit: the server answered 403: .*The username or the password is wrong/,
      ),
    });
  });

  test('requests the redirect with --follow', async () => {
    const address = addressWith({ redirect_uri: callback });
    const first = await authorize([address, '--as', 'maya', '--follow']);
    const second = await authorize([address, '--as', 'maya', '--follow']);
    expect(first).toMatchObject({ status: 0, stdout: new URL(asked[0] ?? '', callback).href });
    expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('the app answered 500') });
  });

  test.each([
    ['an address of another page', ['https://x.com/home', '--as', 'maya'], 2, /not an authorize address/],
    ['what is no address', ['x.com/i/oauth2/authorize', '--as', 'maya'], 2, /not an authorize address/],
    ['no user', [addressWith()], 2, /--as USERNAME/],
    [
      'a host of X as the server',
      [addressWith(), '--as', 'maya', '--url', 'https://x.com'],
      2,
      /not the address of a/,
    ],
    ['an unknown user', [addressWith(), '--as', 'nobody'], 1, /There is no such user/],
    [
      'a server that does not run',
      [addressWith(), '--as', 'maya', '--url', 'http://127.0.0.1:1'],
      1,
      /no server answers/,
    ],
    [
      'an unknown client',
      [addressWith({ client_id: 'other' }), '--as', 'maya'],
      1,
      /No app has the client_id/,
    ],
    [
      'a redirect URI of others',
      [addressWith({ redirect_uri: 'https://e.example' }), '--as', 'maya'],
      1,
      /not one that/,
    ],
    ['an unknown scope', [addressWith({ scope: 'all' }), '--as', 'maya'], 1, /scope/],
    [
      'an expired request token',
      ['https://api.twitter.com/oauth/authorize?oauth_token=old', '--as', 'maya'],
      1,
      /This request has expired/,
    ],
  ])('refuses %s in one line', async (_, args, status, reason) => {
    const outcome = await authorize(args);
    expect(outcome).toEqual({ status, stdout: '', stderr: expect.stringMatching(reason) });
    expect(outcome.stderr.split('\n')).toHaveLength(1);
  });

  test('asks nobody without a server', async () => {
    const outcome = await authorize([addressWith(), '--as', 'maya'], {});
    expect(outcome).toMatchObject({ status: 2, stderr: expect.stringContaining('name the server') });
  });
});
