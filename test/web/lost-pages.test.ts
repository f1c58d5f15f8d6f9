import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';

/** The header that browsers send. */
const ACCEPT = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp();
  browser = openBrowser(app);
});
afterAll(() => app.close());

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
