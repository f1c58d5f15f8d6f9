import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemPage } from '../../src/web/problem-page.js';
import type { WebContext } from '../../src/web/web-context.js';
import { webRoutes } from '../../src/web/web-routes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { mainForm, openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { decide, requestToken } from './support/oauth1-flow.js';
import { authorizeUrl, formOf } from './support/oauth2-flow.js';
import { csrfOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Forms that other sites make a browser send (SECURITY.md). */

let app: TestApp;
/** The browser in which alice is signed in. */
let victim: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  victim = await signedIn('alice');
});
afterAll(() => app.close());

async function signedIn(username: keyof typeof PASSWORDS): Promise<Browser> {
  const browser = openBrowser(app);
  await browser.signIn(username, PASSWORDS[username]);
  return browser;
}

async function isStale(answer: Promise<BrowserAnswer>): Promise<void> {
  const { status, text, location, headers } = await answer;
  expect([status, location, headers['set-cookie']]).toEqual([403, undefined, undefined]);
  expect(text).toContain('out of date');
}

describe('forms from other sites (CSRF)', () => {
  test('are refused without a token, with an invalid one and with that of another browser', async () => {
    const attacker = await signedIn('bob');
    const theirs = mainForm((await attacker.get(authorizeUrl())).text).fields['csrf'] ?? '';
    const url = authorizeUrl();
    await isStale(victim.post(url, { decision: 'approve' }));
    await isStale(victim.post(url, { decision: 'approve', csrf: '' }));
    await isStale(victim.post(url, { decision: 'approve', csrf: 'x' }));
    await isStale(victim.post(url, { decision: 'approve', csrf: theirs }));
    await isStale(victim.post('/sign-out', {}));
    expect((await victim.get('/home')).status).toBe(200);
  });

  test('are refused with the token from before the sign-in', async () => {
    const browser = openBrowser(app);
    const { csrf = '' } = mainForm((await browser.get('/sign-in')).text).fields;
    await browser.signIn('alice', PASSWORDS.alice);
    await isStale(browser.post(authorizeUrl(), { decision: 'approve', csrf }));
  });

  test('cannot sign a visitor in to another account', async () => {
    const visitor = openBrowser(app);
    await isStale(visitor.post('/sign-in', { username: 'bob', password: PASSWORDS.bob }));
    await visitor.get('/sign-in');
    await isStale(visitor.post('/sign-in', { username: 'bob', password: PASSWORDS.bob, csrf: 'x' }));
    expect(visitor.cookies.has('pipit_session')).toBe(false);
  });

  test('are refused as JSON, as plain text and in the query', async () => {
    const url = authorizeUrl();
    const { csrf = '' } = mainForm((await victim.get(url)).text).fields;
    const fields = { decision: 'approve', csrf };
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      await isStale(victim.post(url, fields, { 'content-type': type }));
    }
    await isStale(victim.post(`${url}&${formOf(fields)}`, {}));
  });

  test('cannot decide an OAuth 1.0a request, which stays open', async () => {
    const token = await requestToken(app, Date.now());
    await isStale(victim.post(`/oauth/authorize?oauth_token=${token.token}`, { decision: 'approve' }));
    expect((await decide(victim, token, 'approve')).location).toContain('oauth_verifier');
  });
});

describe('every form', () => {
  /** Created without a server, for the names of the routes. */
  const forms = webRoutes(
    { signUp: { mode: 'open' }, endpoints: [] } as unknown as WebContext,
    problemPage,
  ).filter(({ method }) => method === 'POST');

  test('is listed here', () => {
    expect(forms.length).toBeGreaterThan(25);
    expect(forms.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/sign-in',
        '/sign-up',
        '/reset-password',
        '/oauth/authenticate',
        '/my-apps/{id}/keys',
      ]),
    );
  });

  test.each(forms.map(({ path }) => path))('%s does nothing for other sites', async (path) => {
    const url = path.replaceAll('{id}', '1002').replaceAll('{operation}', 'createTweet');
    const foreign = csrfOf((await openBrowser(app).get('/sign-in')).text);
    for (const browser of [victim, openBrowser(app)]) {
      await isStale(browser.post(url, {}));
      for (const csrf of ['', foreign]) await isStale(browser.post(url, { csrf }));
    }
  });
});
