import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Searches that people save on pages. */

const HOSTILE = '"<b>&" -x OR #tides';
const PATH = `/search?${new URLSearchParams({ q: HOSTILE, f: 'relevance' }).toString()}`;

let app: TestApp;
let alice: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

test('a search is saved, listed on both pages for its owner only, and forgotten', async () => {
  expect((await send(alice, PATH, { do: 'save' })).location).toBe(PATH);
  const page = await alice.get(PATH);
  expectValidPage(page, PATH);
  expect(page.text).toContain('<bdi>&quot;&lt;b&gt;&amp;&quot; -x OR #tides</bdi>');
  expect(textOf(page)).toContain('Forget this search');
  const explore = await alice.get('/explore');
  const link = /aria-label="Saved searches">\s*<a href="([^"]+)"/.exec(explore.text)?.[1] ?? '';
  expect(new URL(link.replaceAll('&amp;', '&'), 'http://pipit.test').searchParams.get('q')).toBe(HOSTILE);
  const [visitor, bob] = [openBrowser(app), openBrowser(app)];
  await bob.signIn('bob', PASSWORDS.bob);
  for (const [browser, button] of [
    [visitor, false],
    [bob, true],
  ] as const) {
    const { text } = await browser.get(PATH);
    expect(text).not.toContain('aria-label="Saved searches"');
    expect(text.includes('Save this search')).toBe(button);
  }
  await send(alice, PATH, { do: 'forget' });
  await send(alice, PATH, { do: 'forget' });
  expect((await alice.get('/explore')).text).not.toContain('Saved searches');
});

test('a full list and a search that is too long are refused beside the results', async () => {
  for (let number = 0; number < 25; number += 1)
    await app.post('/_pipit/saved_searches', await app.as('alice'), { query: `heron ${number}` });
  const full = await send(alice, '/search?q=pond+-is:retweet', { do: 'save' });
  expect(full.status).toBe(400);
  expectValidPage(full, 'a full list');
  expect(textOf(full)).toMatch(/You can save up to 25 searches\. Forget one.*Hello from the pond/);
  const path = `/search?q=${'a'.repeat(1100)}`;
  const long = await send(alice, path, { do: 'save' });
  expect(long.status).toBe(400);
  expect(long.text).toContain('role="alert"');
});
