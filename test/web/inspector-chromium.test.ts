import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { startTestSandbox, type TestSandbox } from '../sandbox/support/sandbox.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, POSTS } from '../support/world.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const INSPECTOR = '/_pipit/sandbox/inspector';

/** The inspector with its script. PIPIT_SCREENSHOTS names a folder for screenshots. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let pipit: TestSandbox;
  let chromium: Browser;
  beforeAll(async () => {
    pipit = await startTestSandbox();
    chromium = await openChromium();
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await pipit?.[Symbol.asyncDispose]();
  });

  /** Opens a page whose errors fail the test. */
  async function openPage(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await chromium.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // A page of the console has no icon.
      const isOfIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isOfIcon) errors.push(message.text());
    });
    return { page, errors };
  }

  async function screenshot(page: Page, name: string): Promise<void> {
    const folder = process.env['PIPIT_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  /** Sends a request that was signed for another address. */
  async function sendForX(): Promise<void> {
    const { body } = await pipit.control('POST', '/tokens', { username: 'alice', kind: 'oauth1' });
    const authorization = signHeader({
      method: 'GET',
      url: 'https://api.x.com/2/users/me?user.fields=id,name',
      consumerKey: APP.api_key,
      consumerSecret: APP.api_secret,
      token: body.data.access_token,
      tokenSecret: body.data.access_token_secret,
      timestampSeconds: Math.floor(Date.now() / 1000),
      nonce: String(Math.random()),
    });
    const answer = await fetch(`${pipit.url}/2/users/me?user.fields=id,name`, { headers: { authorization } });
    expect(answer.status).toBe(401);
    await answer.text();
  }

  test('a request appears in the list as it comes in, without a reload, and a filter keeps others out', async () => {
    const { page, errors } = await openPage();
    await page.goto(`${pipit.url}${INSPECTOR}?operation=createTweet`);
    await page.getByText('Live: new requests appear by themselves.').waitFor();
    await page.evaluate('globalThis.isFirst = true');
    await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
    await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A heron' });
    const link = page.getByRole('link', { name: 'POST /2/tweets' });
    await link.waitFor();
    expect(await page.getByRole('link', { name: POSTS.hello }).count()).toBe(0);
    expect(await page.evaluate('globalThis.isFirst')).toBe(true);
    await link.click();
    await page.getByRole('heading', { name: 'POST /2/tweets' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('a copy lands in the clipboard', async () => {
    const { page, errors } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
    await page.goto(`${pipit.url}${INSPECTOR}`);
    await page.getByRole('link', { name: POSTS.hello }).first().click();
    await page.getByText('As curl').click();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -i -X GET ${pipit.url}/2/tweets/${POSTS.hello}`);
    expect(errors).toEqual([]);
  });

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('the pages fit %i pixels in %s colours and mark the difference', async (width, colorScheme) => {
    const { page, errors } = await openPage({ viewport: { width, height: 900 }, colorScheme });
    await pipit.send('GET', `/2/${'long'.repeat(20)}`, APP.bearer_token);
    await pipit.send('GET', '/2/tweets?idz=1', APP.bearer_token);
    await sendForX();
    await page.goto(pipit.url + INSPECTOR);
    await page.getByText('Live: new requests').waitFor();
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    expect(await fits()).toBe(true);
    await screenshot(page, `inspector-list-${width}-${colorScheme}`);
    await page.getByRole('link', { name: 'GET /2/users/me' }).first().click();
    await page.getByText('The client signed the address https://api.x.com').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toEqual([
      'https',
      'api.x.com',
      'http',
      new URL(pipit.url).host.replace(':', '%3A'),
    ]);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await fits()).toBe(true);
    await screenshot(page, `inspector-request-${width}-${colorScheme}`);
    expect(errors).toEqual([]);
  });

  test('the owner of an app records and sees its requests', async () => {
    const app: TestApp = await startTestApp({ world: webWorld() });
    await using _closing = app;
    const url = await app.listen();
    const { page, errors } = await openPage({ viewport: { width: 390, height: 900 } });
    await page.goto(`${url}/my-apps/${WEB_APP.id}/requests`);
    await page.getByLabel('Username').fill('alice');
    await page.getByLabel('Password').fill(PASSWORDS.alice);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Record for an hour' }).click();
    await page.getByText('Live: new requests').waitFor();
    await app.request({
      method: 'GET',
      url: `/2/tweets/${POSTS.hello}`,
      headers: { authorization: `Bearer ${WEB_APP.bearer_token}` },
    });
    await page.getByRole('link', { name: POSTS.hello }).waitFor();
    await screenshot(page, 'inspector-app-390');
    await page.getByRole('link', { name: POSTS.hello }).click();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    expect(errors).toEqual([]);
  });
});
