import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** The header that browsers send. */
const ACCEPT = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let app: TestApp;
let signedInApp: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp();
  signedInApp = await startTestApp({ world: webWorld(), flags: { rateLimits: 'standard' } });
  browser = openBrowser(app);
});
afterAll(async () => {
  await app.close();
  await signedInApp.close();
});

describe('browsers get a page', () => {
  test.each(['/nothing', '/nobody', '/alice/status/1', '/my-account/nothing', '/oauthentic', '/22'])(
    'for an unknown path: %s',
    async (path) => {
      const page = await browser.get(path, ACCEPT);
      expect(page.status).toBe(404);
      expectValidPage(page, path);
      expect(textOf(page)).toContain('Page not found');
      expect(page.text).toContain('<a class="button" href="/">Go to the start page</a>');
    },
  );

  test('for an unsupported method', async () => {
    const page = await browser.post('/docs', {}, ACCEPT);
    expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD']);
    expectValidPage(page, '/docs');
  });

  test('for a malformed address, without its markup', async () => {
    const page = await browser.get('/%ff<b>', ACCEPT);
    expect(page.status).toBe(400);
    expectValidPage(page, '/%ff');
    expect(page.text).not.toContain('<b>');
  });
});

describe('programs get the documented problem', () => {
  test.each([
    ['/nothing', undefined],
    ['/nothing', 'application/json, text/plain, */*'],
    ['/2/nothing', ACCEPT.accept],
    ['/2', ACCEPT.accept],
    ['/oauth/nothing', ACCEPT.accept],
    ['/oauth2/nothing', ACCEPT.accept],
  ])('%s (accept: %s)', async (path, accept) => {
    const answer = await app.request({ method: 'GET', url: path, headers: accept ? { accept } : {} });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(answer.body).toEqual({
      title: 'Not Found',
      detail: 'Not Found',
      type: 'about:blank',
      status: 404,
    });
  });

  test('below /1.1, in the version 1.1 format', async () => {
    const answer = await app.request({ method: 'GET', url: '/1.1/nothing.json', headers: ACCEPT });
    expect(answer.body).toEqual({ errors: [{ code: 32, message: 'Could not authenticate you.' }] });
  });
});

describe('the page of a problem fits its reader', () => {
  let alice: Browser;

  beforeAll(async () => {
    alice = openBrowser(signedInApp);
    await alice.signIn('alice', PASSWORDS.alice);
  });

  test.each(['/nothing', '/alice/status/1', '/my-apps/999', '/operator-desk'])(
    '%s has the navigation of who is signed in, and a way on',
    async (path) => {
      const page = await alice.get(path, ACCEPT);
      expect([403, 404]).toContain(page.status);
      expectValidPage(page, path);
      expect(page.text).toContain('<a class="nav-link" href="/home"');
      expect(page.text).toMatch(/<title>Error: /);
      expect(page.text).toContain(page.status === 404 ? 'action="/search"' : 'Only operators');
    },
  );

  test('it is drawn as the browser was set to', async () => {
    const visitor = openBrowser(signedInApp);
    visitor.cookies.set('pipit_appearance', 'dark');
    expect((await visitor.get('/nothing', ACCEPT)).text).toContain('<html lang="en" data-theme="dark">');
  });

  test('too many requests say until when to wait, and let the reader try again', async () => {
    const visitor = openBrowser(signedInApp);
    let page = await visitor.get('/alice', ACCEPT);
    for (let sent = 1; page.status === 200 && sent < 400; sent += 1)
      page = await visitor.get('/alice', ACCEPT);
    expect(page.status).toBe(429);
    expectValidPage(page, '/alice');
    expect(textOf(page)).toMatch(/Please wait \d+ minutes before you try again\. That is at \d\d:\d\d UTC/);
    expect(page.text).toContain('<a class="button" href="">Try again</a>');
  });

  test('a form after the end of the session leads to sign in and shows what was written', async () => {
    const browser = openBrowser(signedInApp);
    await browser.signIn('alice', PASSWORDS.alice);
    const form = await browser.get('/my-account');
    browser.cookies.clear();
    const description = 'Written <b>slowly</b>,\nsent late';
    const page = await browser.submit(form, { description });
    expect(page.status).toBe(403);
    expectValidPage(page, '/my-account');
    expect(textOf(page)).toContain('Sign in and try again');
    expect(page.text).toContain('Written &lt;b&gt;slowly&lt;/b&gt;,\nsent late');
  });
});
