import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigRefused, readConfig } from '../../src/server/config.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser } from './support/browser.js';
import { signHeader } from '../auth/support/sign.js';
import { CONSUMER, fieldsOf } from './support/oauth1-flow.js';
import { CALLBACK, PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** `--consent auto`. */

const LOCAL = 'http://127.0.0.1:3000/callback';
const FOREIGN = ['http://localhost.evil.test/', 'http://127.0.0.1@evil.test/', 'evil://localhost/callback'];
const BASE_URL = 'http://127.0.0.1:8080';

let app: TestApp;

beforeAll(async () => {
  const world = webWorld();
  const apps = (world['apps'] ?? []).map((entry) => ({
    ...(entry as object),
    redirect_uris: [CALLBACK, LOCAL, ...FOREIGN],
  }));
  app = await startTestApp({ world: { ...world, apps }, flags: { consent: 'auto', baseUrl: BASE_URL } });
});
afterAll(() => app.close());

function authorizePath(redirectUri: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: WEB_APP.client_id,
    redirect_uri: redirectUri,
    scope: 'tweet.read users.read',
    state: 's',
    code_challenge: 'a-challenge-of-at-least-forty-three-characters',
    code_challenge_method: 'plain',
  });
  return `/i/oauth2/authorize?${query.toString()}`;
}

/** Performs the first leg; the signature is for the configured base URL. */
async function requestToken(callback: string): Promise<string> {
  const path = '/oauth/request_token';
  const authorization = signHeader({
    method: 'POST',
    url: BASE_URL + path,
    ...CONSUMER,
    timestampSeconds: Math.floor(Date.now() / 1000),
    nonce: randomUUID(),
    extra: { oauth_callback: callback },
  });
  const answer = await app.request({ method: 'POST', url: path, headers: { authorization } });
  return fieldsOf(answer)['oauth_token'] ?? '';
}

/** Returns the user that a code is for. */
async function userOf(location: string | undefined): Promise<unknown> {
  const answer = await app.request({
    method: 'POST',
    url: '/2/oauth2/token',
    headers: {
      authorization: `Basic ${btoa(`${WEB_APP.client_id}:${WEB_APP.client_secret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(location ?? '').searchParams.get('code') ?? '',
      redirect_uri: LOCAL,
      code_verifier: 'a-challenge-of-at-least-forty-three-characters',
    }).toString(),
  });
  return (await app.get('/2/users/me', answer.body.access_token)).body.data.username;
}

describe('--consent auto', () => {
  test('grants a request with a loopback redirect URI at once, for the owner of the app', async () => {
    const answer = await openBrowser(app).get(authorizePath(LOCAL));
    expect(answer.location).toMatch(LOCAL);
    expect(await userOf(answer.location)).toBe('alice');
  });

  test('grants it for the user who is signed in', async () => {
    const browser = openBrowser(app);
    await browser.signIn('bob', PASSWORDS.bob);
    expect(await userOf((await browser.get(authorizePath(LOCAL))).location)).toBe('bob');
  });

  test.each([CALLBACK, ...FOREIGN])('asks before a redirect to %s', async (redirectUri) => {
    const answer = await openBrowser(app).get(authorizePath(redirectUri));
    expect(answer.location).toMatch(/^\/sign-in\?/);
  });

  test('grants requests of OAuth 1.0a with a loopback callback, and asks for those with a PIN', async () => {
    const token = await requestToken(LOCAL);
    const answer = await openBrowser(app).get(`/oauth/authorize?oauth_token=${token}&force_login=true`);
    expect(answer.location).toMatch(/oauth_verifier=/);
    const asked = await openBrowser(app).get(`/oauth/authorize?oauth_token=${await requestToken('oob')}`);
    expect(asked.location).toMatch(/^\/sign-in\?/);
  });

  test.each([{ host: '0.0.0.0' }, { baseUrl: 'https://pipit.example' }])('is refused with %j', (flags) => {
    expect(() => readConfig({ consent: 'auto', ...flags }, {})).toThrow(ConfigRefused);
  });
});
