import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, POSTS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { answerOf, authorizeUrl, basic, formOf, redeem, VERIFIER } from './support/oauth2-flow.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** The inspector of an app (docs/inspector.md#apps). */

const PAGE = `/my-apps/${WEB_APP.id}/requests`;
const HOUR_MS = 3_600_000;

let app: TestApp;
let alice: Browser;
let bob: Browser;
let nowMs = Date.UTC(2022, 9, 7);
beforeAll(async () => {
  app = await startTestApp({ world: webWorld(), clock: () => nowMs });
  alice = openBrowser(app);
  bob = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());
beforeEach(async () => {
  await send(alice, PAGE, {}, `${PAGE}/stop`);
});

const start = () => send(alice, PAGE, {}, `${PAGE}/start`);
const linksOf = (text: string) =>
  [...text.matchAll(/href="(\/my-apps\/[0-9]+\/requests\/[0-9]+)"/g)].map(([, link = '']) => link);
const shown = async (query = '') => (await alice.get(PAGE + query)).text;

test('nothing is recorded until the owner starts it, and then for an hour', async () => {
  const before = await alice.get(PAGE);
  expectValidPage(before, PAGE);
  expect(textOf(before)).toContain('Record for an hour');
  expect((await alice.get(`/my-apps/${WEB_APP.id}`)).text).toContain(`href="${PAGE}"`);
  await app.get(`/2/tweets/${POSTS.hello}`, WEB_APP.bearer_token);
  const started = await start();
  expect(started.location).toBe(`${PAGE}?done=started`);
  expect(textOf(await alice.get(PAGE))).toContain('No requests yet');
  await app.get(`/2/tweets/${POSTS.hello}`, WEB_APP.bearer_token);
  expect(linksOf(await shown())).toHaveLength(1);
  nowMs += HOUR_MS;
  expect(textOf(await alice.get(PAGE))).toContain('Record for an hour');
  expect(await shown()).not.toContain(POSTS.hello);
});

test('stopping drops what was recorded', async () => {
  await start();
  await app.get(`/2/tweets/${POSTS.hello}`, WEB_APP.bearer_token);
  const [link = ''] = linksOf(await shown());
  expect((await alice.get(link)).status).toBe(200);
  await send(alice, PAGE, {}, `${PAGE}/stop`);
  expect((await alice.get(link)).status).toBe(404);
  await start();
  expect(linksOf(await shown())).toEqual([]);
});

test('only requests of the app are recorded, with those that were refused and name its key or client ID', async () => {
  await start();
  await app.get('/2/users/me', APP.bearer_token);
  await app.get('/2/users/me', 'unknown');
  await app.get('/2/nowhere');
  expect(linksOf(await shown())).toEqual([]);

  await app.get('/2/users/me', WEB_APP.bearer_token);
  const refused = { grant_type: 'refresh_token', refresh_token: 'x' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const token = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    app.request({
      method: 'POST',
      url: '/2/oauth2/token',
      headers: { ...form, ...headers },
      payload: formOf(parameters),
    });
  await token(refused, { authorization: basic(WEB_APP.client_id, 'wrong') });
  await token({ ...refused, client_id: WEB_APP.client_id });
  const authorization = signHeader({
    method: 'GET',
    url: 'http://pipit.test/2/users/me',
    consumerKey: WEB_APP.api_key,
    consumerSecret: 'wrong',
    token: '1-unknown',
    tokenSecret: 'x',
    timestampSeconds: Math.floor(nowMs / 1000),
    nonce: 'n',
  });
  await app.request({ method: 'GET', url: '/2/users/me', headers: { authorization } });
  expect(linksOf(await shown())).toHaveLength(4);
  expect(await shown()).toContain('never issued the oauth_token');
  expect(linksOf(await shown('?operation=findMyUser'))).toHaveLength(2);
});

test('a token of the app that was revoked is recognized', async () => {
  const issued = await app.pipit.backend.tokens.issueOAuth2({
    appId: BigInt(WEB_APP.id) as never,
    userId: 1001n as never,
    scopes: ['users.read'],
  });
  await app.pipit.backend.tokens.revoke(issued.accessToken);
  await start();
  await app.get('/2/users/me', issued.accessToken);
  await app.get('/2/users/me', issued.accessToken);
  expect(await shown()).toContain('was revoked at');
});

test('another user gets the same 404 as for an app that does not exist, and visitors must sign in', async () => {
  await start();
  await app.get(`/2/tweets/${POSTS.hello}`, WEB_APP.bearer_token);
  const [entry = ''] = linksOf(await shown());
  const csrf = csrfOf((await bob.get('/my-apps/3002')).text);
  for (const path of [PAGE, `${PAGE}/events`, entry]) {
    expect((await bob.get(path)).status, path).toBe(404);
    expect((await bob.get(path.replace(WEB_APP.id, '999'))).status, path).toBe(404);
    expect((await openBrowser(app).get(path)).location, path).toContain('/sign-in?next=');
  }
  for (const action of ['start', 'stop']) {
    expect((await bob.post(`${PAGE}/${action}`, { csrf })).status).toBe(404);
  }
  expect(linksOf(await shown())).toEqual([entry]);
});

test('a form without the token of the page changes nothing', async () => {
  for (const csrf of ['', 'wrong']) expect((await alice.post(`${PAGE}/start`, { csrf })).status).toBe(403);
  expect(textOf(await alice.get(PAGE))).toContain('Record for an hour');
});

test('a refused authorize request is recorded with both redirect URIs, and nobody’s consent is', async () => {
  await start();
  const path = authorizeUrl({ redirect_uri: 'https://client.example/callback?from=pipi' });
  expect((await bob.get(path)).status).toBe(400);
  const [link = ''] = linksOf(await shown('?refused=yes'));
  const page = await alice.get(link);
  expect(page.text).toContain('The app has not registered the redirect_uri.');
  expect(textOf(page)).toContain('https://client.example/callback?from= pipit');

  const consent = await bob.submit(await bob.get(authorizeUrl()), {}, 'approve');
  const code = answerOf(consent).get('code') ?? '';
  expect(await shown()).toContain('GET /i/oauth2/authorize');
  expect(await shown()).not.toContain('POST /i/oauth2/authorize');
  expect((await redeem(app, code)).status).toBe(200);
  const [exchange = ''] = linksOf(await shown('?path=token'));
  const shownExchange = (await alice.get(exchange)).text;
  expect(shownExchange).not.toContain(code);
  expect(shownExchange).not.toContain(VERIFIER);
});

test('a request page shows neither the token nor markup of clients', async () => {
  await start();
  const text = '<script>alert(1)</script>';
  const query = `?q=${encodeURIComponent(text)}`;
  await app.request({
    method: 'GET',
    url: `/2/tweets/${POSTS.hello}${query}`,
    headers: { authorization: `Bearer ${WEB_APP.bearer_token}`, 'x-odd': text, cookie: 'a=secret-cookie' },
  });
  const [link = ''] = linksOf(await shown());
  const page = await alice.get(link);
  expect(page.text).not.toContain(WEB_APP.bearer_token);
  expect(page.text).not.toContain('secret-cookie');
  expect(page.text).not.toContain(text);
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('at most ten apps are recorded at once', async () => {
  await send(alice, PAGE, {}, `${PAGE}/stop`);
  const world = webWorld();
  const apps = Array.from({ length: 11 }, (_, index) => ({
    ...WEB_APP,
    name: `App ${index}`,
    owner: 'alice',
    permissions: 'read',
    redirect_uris: ['http://127.0.0.1/'],
    id: `${4000 + index}`,
    api_key: `key-${index}`,
    bearer_token: `bearer-${index}`,
    client_id: `client-${index}`,
  }));
  await using many = await startTestApp({ world: { ...world, apps } });
  const browser = openBrowser(many);
  await browser.signIn('alice', PASSWORDS.alice);
  const startOf = (id: string) =>
    send(browser, `/my-apps/${id}/requests`, {}, `/my-apps/${id}/requests/start`);
  for (const { id } of apps.slice(0, 10)) expect((await startOf(id)).status).toBe(303);
  expect((await startOf('4010')).status).toBe(409);
});
