import type { Browser as Chromium, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { inject } from '../support/inject.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { csrfOf, expectValidPage, makeOperator, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const PATH = '/operator-desk/server';

let app: TestApp;
let operator: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  await makeOperator(app, 'alice');
  operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { src: string; sizes: string; purpose: string }[];
}

async function manifest(): Promise<Manifest> {
  const { headers, body } = await app.request({ method: 'GET', url: '/manifest.webmanifest' });
  expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  return (typeof body === 'string' ? JSON.parse(body) : body) as Manifest;
}

/** Returns the size of a picture of the server, as `512x512`. */
async function sizeOf(path: string): Promise<string> {
  const { statusCode, rawPayload, headers } = await inject(app.pipit.app, { method: 'GET', url: path });
  expect([statusCode, headers['content-type'], rawPayload.toString('latin1', 1, 4)]).toEqual([
    200,
    'image/png',
    'PNG',
  ]);
  return `${rawPayload.readUInt32BE(16)}x${rawPayload.readUInt32BE(20)}`;
}

async function upload(bytes: Buffer | undefined, csrf?: string): Promise<BrowserAnswer> {
  return operator.postFiles(PATH, [
    ['csrf', csrf ?? csrfOf((await operator.get(PATH)).text)],
    ['description', 'Typed beside it'],
    ...(bytes ? [['logo', 'logo.png', 'image/png', bytes] as const] : []),
  ]);
}

test('a browser can install the site: a manifest, and icons of the sizes that it names', async () => {
  const found = await manifest();
  expect(found).toMatchObject({
    name: 'Pipit',
    short_name: 'Pipit',
    start_url: '/home',
    scope: '/',
    display: 'standalone',
  });
  expect(found.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '192x192 maskable',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of found.icons) expect(await sizeOf(src)).toBe(sizes);
  const { text } = await openBrowser(app).get('/sign-in');
  expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
  expect(text.match(/<meta name="theme-color"/g)).toHaveLength(2);
});

test('operators name the server: on every page, in the manifest and for clients', async () => {
  const words = { name: 'The "Pond" <b>', description: 'For ducks & others.\r\nNo geese.' };
  const page = await operator.follow(await send(operator, PATH, words));
  expectValid(page, PATH);
  expect(page.text).toContain('<title>This server · The &quot;Pond&quot; &lt;b&gt;</title>');
  expect((await openBrowser(app).get('/sign-in')).text).toContain(
    'dir="auto">The &quot;Pond&quot; &lt;b&gt;</a>',
  );
  const front = textOf(await openBrowser(app).get('/'));
  for (const text of ['The &quot;Pond&quot; &lt;b&gt;', 'For ducks &amp; others.', 'Explore'])
    expect(front).toContain(text);
  expect(await manifest()).toMatchObject({ name: words.name, description: 'For ducks & others.\nNo geese.' });
  expect((await app.get('/_pipit/instance')).body.data).toMatchObject({ name: words.name });
  for (const [name, description] of [
    ['x'.repeat(31), ''],
    ['a\u202eb', ''],
    ['Pond', 'x'.repeat(501)],
  ]) {
    const refused = await send(operator, PATH, { name: name ?? '', description: description ?? '' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('was not saved.');
  }
  expect((await manifest()).name).toBe(words.name);
  const log = textOf(await operator.get('/operator-desk/audit'));
  expect(log).toContain('@alice : Changed what the server says about itself The &quot;Pond&quot; &lt;b&gt;');
  await send(operator, PATH, { name: '', description: '' });
  expect((await manifest()).name).toBe('Pipit');
});

/** As `expectValidPage`, whose title has the name of the server by default. */
function expectValid(page: BrowserAnswer, path: string): void {
  expectValidPage({ ...page, text: page.text.replace(/ · [^<]*<\/title>/, ' · Pipit</title>') }, path);
}

test('a logo is checked and encoded as other pictures are, and replaces the icons', async () => {
  expect((await app.request({ method: 'GET', url: '/_pipit/instance/logo' })).status).toBe(404);
  for (const [bytes, why] of [
    [Buffer.from('<svg onload="alert(1)">'), 'media type unrecognized.'],
    [(await png(256, 256)).subarray(0, 200), 'broken'],
    [await png(256, 200), 'must be a square of 192 to 1024 pixels'],
    [await png(64, 64), 'This one has 64 by 64.'],
  ] as const) {
    const refused = await upload(bytes);
    expect([why, refused.status]).toEqual([why, 400]);
    expect(textOf(refused)).toContain(why);
    expect(refused.text).toContain('Typed beside it</textarea>');
  }
  expect((await upload(await png(256, 256), 'x')).status).toBe(403);
  expect((await upload(await png(256, 256))).location).toBe(`${PATH}?done=saved`);
  expect(await sizeOf('/_pipit/instance/logo')).toBe('256x256');
  expect((await manifest()).icons).toEqual([
    { src: '/_pipit/instance/logo', sizes: '256x256', purpose: 'any' },
  ]);
  expect((await app.get('/_pipit/instance')).body.data.logo_url).toBe(
    'http://pipit.test/_pipit/instance/logo',
  );
  expectValidPage(await operator.get(PATH), PATH);
  await send(operator, PATH, { logo_remove: 'yes' });
  expect((await manifest()).icons).toHaveLength(4);
});

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let chromium: Chromium;
  let url: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    url = await app.listen();
    chromium = await openChromium();
    context = await chromium.newContext();
    page = await context.newPage();
  });
  afterAll(() => closeWindows(chromium));

  const signIn = async (username: keyof typeof PASSWORDS): Promise<void> => {
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', username);
    await page.fill('[name=password]', PASSWORDS[username]);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
  };
  const offline = async (path: string): Promise<string> => {
    await context.setOffline(true);
    await page.goto(url + path);
    const text = await page.locator('main').innerText();
    await context.setOffline(false);
    return text;
  };

  test('without a connection: the home page as last read by this account, and a page that says so elsewhere', async () => {
    await signIn('bob');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.goto(`${url}/home`);
    const home = await offline('/home');
    expect(home).toContain('You are offline. This is the page as of');
    expect(await page.locator('.who').first().innerText()).toBe('@bob');
    expect(await page.locator('[name=csrf]').first().getAttribute('value')).toBe('');
    expect(await offline('/alice')).toContain('there is no connection to the server');
    expect(await page.title()).toContain('You are offline');

    await page.goto(`${url}/home`);
    await Promise.all([
      page.waitForURL((to) => to.pathname !== '/home'),
      page.getByRole('button', { name: 'Sign out' }).click(),
    ]);
    expect(await offline('/home')).toContain('there is no connection to the server');
    expect(await page.content()).not.toContain('@bob');
    expect(await page.evaluate('caches.has("home")')).toBe(false);
  }, 60_000);
});
