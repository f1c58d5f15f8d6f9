import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, send } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const PATH = '/my-account/appearance';
const COOKIE = 'pipit_appearance';

let app: TestApp;
let alice: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app.close());

const rootOf = (markup: string): string => /<html[^>]*>/.exec(markup)?.[0] ?? '';

test('the first page after saving is drawn as chosen, and so is every other page of this browser', async () => {
  const saved = await send(alice, PATH, { theme: 'dark', text_size: 'large', still: 'yes' });
  expect(saved.headers['set-cookie']).toEqual([
    `${COOKIE}=dark.large.still; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000`,
  ]);
  const chosen = '<html lang="en" data-theme="dark" data-size="large" data-motion="reduced">';
  const page = await alice.follow(saved);
  expect(rootOf(page.text)).toBe(chosen);
  expect(page.text).toContain('This browser shows pages so from now on.');
  for (const value of ['theme-dark', 'text_size-large', 'still-yes'])
    expect(page.text).toMatch(new RegExp(`id="${value}"[^>]*checked`));
  expect(rootOf((await alice.get('/alice')).text)).toBe(chosen);
  const stranger = openBrowser(app);
  expect(rootOf((await stranger.get('/alice')).text)).toBe('<html lang="en">');
});

test.each([
  ['system', 'normal', '<html lang="en">'],
  ['contrast', 'small', '<html lang="en" data-theme="contrast" data-size="small">'],
  ['"><script>', 'enormous', '<html lang="en">'],
])('theme %s with text %s is %s', async (theme, size, root) => {
  const page = await alice.follow(await send(alice, PATH, { theme, text_size: size }));
  expect(rootOf(page.text)).toBe(root);
  expectValidPage(page, PATH);
});

test('a cookie with other words is as the default', async () => {
  const visitor = openBrowser(app);
  visitor.cookies.set(COOKIE, 'toString.__proto__.dark"><b>.large');
  expect(rootOf((await visitor.get('/sign-in')).text)).toBe('<html lang="en" data-size="large">');
});
