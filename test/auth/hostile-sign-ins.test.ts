import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from '../web/support/browser.js';
import { csrfOf } from '../web/support/pages.js';
import { authorizeUrl, basic, BASIC, formOf, postForm } from '../web/support/oauth2-flow.js';
import { PASSWORDS, WEB_APP, webWorld } from '../web/support/web-world.js';
import { signHeader } from './support/sign.js';

/** Strings that databases, headers and parsers often mishandle: each gives a documented 4xx. */
const HOSTILE = [
  ['a NUL', 'a\0b'],
  ['only a NUL', '\0'],
  ['the name of a prototype', '__proto__'],
  ['a line break', 'a\r\nset-cookie: b=c'],
  ['quotes and SQL', `'; DROP TABLE users; --`],
  ['a text that turns round', 'a\u202eb'],
  ['a very long text', 'x'.repeat(6_000)],
] as const;

let app: TestApp;
let alice: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld(), flags: { signUp: 'open' } });
  alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

describe.each(HOSTILE)('%s', (_, text) => {
  const isRefusal = ({ status, headers }: { status: number; headers: object }, what: string) => {
    expect(status, what).toBeGreaterThanOrEqual(400);
    expect(status, what).toBeLessThan(500);
    expect(headers, what).not.toHaveProperty('set-cookie', expect.stringContaining('b=c'));
  };

  test('is refused as a code, token, client or secret', async () => {
    const codes = { grant_type: 'authorization_code', redirect_uri: text, code_verifier: text };
    for (const [url, parameters, authorization] of [
      ['/2/oauth2/token', { ...codes, code: text }, BASIC],
      ['/2/oauth2/token', { grant_type: text }, BASIC],
      ['/2/oauth2/token', { grant_type: 'refresh_token', refresh_token: text }, BASIC],
      ['/2/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: text }, null],
      ['/2/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'x' }, basic(text, text)],
      ['/2/oauth2/revoke', { token: text, token_type_hint: text }, BASIC],
      ['/oauth2/token', { grant_type: 'client_credentials' }, basic(text, text)],
      ['/oauth2/token', { grant_type: text }, basic(WEB_APP.api_key, WEB_APP.api_secret)],
      ['/oauth2/invalidate_token', { access_token: text }, basic(WEB_APP.api_key, WEB_APP.api_secret)],
    ] as const) {
      isRefusal(await postForm(app, url, parameters, authorization), `${url} ${JSON.stringify(parameters)}`);
    }
  });

  test('is refused as a key, token, verifier or callback of OAuth 1.0a', async () => {
    const sign = (method: string, url: string, changes: object) =>
      app.request({
        method: method as 'GET',
        url,
        headers: {
          authorization: signHeader({
            method,
            url: TEST_URL + url,
            consumerKey: WEB_APP.api_key,
            consumerSecret: WEB_APP.api_secret,
            timestampSeconds: Math.floor(Date.now() / 1000),
            nonce: String(Math.random()),
            ...changes,
          }),
        },
      });
    for (const [method, url, changes] of [
      ['POST', '/oauth/request_token', { consumerKey: text }],
      ['POST', '/oauth/request_token', { extra: { oauth_callback: text } }],
      ['POST', '/oauth/access_token', { token: text, tokenSecret: text, extra: { oauth_verifier: text } }],
      ['GET', '/2/users/me', { token: text, tokenSecret: text }],
      ['GET', '/2/users/me', { consumerKey: text, token: text, tokenSecret: text }],
      ['POST', '/1.1/oauth/invalidate_token', { token: text, tokenSecret: text }],
    ] as const) {
      isRefusal(await sign(method, url, changes), `${url} ${JSON.stringify(changes)}`);
    }
  });

  test('is refused in the address of a page', async () => {
    for (const url of [
      authorizeUrl({ client_id: text }),
      authorizeUrl({ redirect_uri: text }),
      `/oauth/authorize?${formOf({ oauth_token: text })}`,
      `/oauth/authenticate?${formOf({ oauth_token: text })}`,
      `/reset-password?${formOf({ token: text })}`,
      `/my-apps/${encodeURIComponent(text)}`,
    ]) {
      isRefusal(await alice.get(url), url);
    }
  });

  test('is shown as text or refused by every form', async () => {
    const csrf = csrfOf((await alice.get('/my-account')).text);
    const send = (path: string, fields: Record<string, string>, browser = alice) =>
      browser.post(path, { csrf, ...fields });
    isRefusal(await send('/sign-in', { username: text, password: text }), 'sign-in');
    isRefusal(await send('/sign-up', { username: text, name: text, password: text }), 'sign-up');
    isRefusal(await send('/my-account/password', { current: text, password: text }), 'password');
    isRefusal(await send('/my-account/connected-apps', { app: text }), 'connected apps');
    isRefusal(await send('/my-account/sessions', { session: text }), 'sessions');
    isRefusal(await send('/my-apps/new', { name: 'x', redirect_uris: text }), 'redirect URIs');
    for (const [path, fields] of [
      ['/my-account', { name: text, description: text, location: text, url: text }],
      ['/my-account/privacy', { receives_dms: text, protected: text }],
      ['/my-account/follow-requests', { user: text, answer: text }],
      ['/my-apps/new', { name: text, permissions: text, type: text }],
    ] as const) {
      expect((await send(path, fields)).status, path).toBeLessThan(500);
    }
    expect((await alice.get('/my-account')).status).toBe(200);
    expect((await alice.get('/my-apps')).text).not.toContain('\0');
  });
});
