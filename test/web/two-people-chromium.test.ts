import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { windowOf } from './support/accessibility.js';
import { openBrowser } from './support/browser.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const DAVE_PASSWORD = 'correct horse dave';

/** What takes two people: each acts on pages of a browser of their own, and the other sees it. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let url: string;
  let chromium: Browser;
  let alice: Page;
  /** Bob follows alice. */
  let bob: Page;
  /** Dave is protected. */
  let dave: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    const world = webWorld();
    const users = (world['users'] ?? []) as { readonly username: string }[];
    app = await startTestApp({
      world: {
        ...world,
        users: users.map((user) => (user.username === 'dave' ? { ...user, password: DAVE_PASSWORD } : user)),
      },
    });
    url = await app.listen();
    chromium = await openChromium();
    const open = async (username: string, password: string): Promise<Page> => {
      const visitor = openBrowser(app);
      await visitor.signIn(username, password);
      const page = await (await windowOf(chromium, visitor, url)).newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', ({ message }) => faults.push(`${username}: ${message}`));
      return page;
    };
    alice = await open('alice', PASSWORDS.alice);
    bob = await open('bob', PASSWORDS.bob);
    dave = await open('dave', DAVE_PASSWORD);
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  const badge = (page: Page) => page.locator('.main-links a[href="/notifications"] .badge-count');
  const write = async (page: Page, text: string, label: string): Promise<void> => {
    await page.fill('form.composer [name=text]', text);
    await page.getByRole('button', { name: label, exact: true }).click();
  };

  test('one posts, and the other is told by the bar; a reply, a like and a follow come back', async () => {
    await bob.goto(`${url}/home`);
    await alice.goto(`${url}/home`);
    await write(alice, 'The herons are back', 'Post');
    await bob.locator('.news button').getByText('1 new post').click();
    const heard = bob.locator('.timeline .post', { hasText: 'The herons are back' });
    await heard.waitFor();

    // Alice has the post open while bob likes it and replies.
    await alice.goto(`${url}/alice`);
    const own = alice.locator('.timeline .post', { hasText: 'The herons are back' });
    await Promise.all([alice.waitForURL('**/status/*'), own.locator('a.time').click()]);
    await heard.locator('button.like').click();
    await bob.waitForSelector('button.like[aria-pressed=true]');
    await badge(alice).waitFor();
    await Promise.all([bob.waitForURL('**/status/*'), heard.locator('a.time').click()]);
    await write(bob, 'I saw three of them', 'Reply');
    await alice.locator('.news button').getByText('1 new reply').click();
    await alice.locator('.post', { hasText: 'I saw three of them' }).waitFor();

    await alice.goto(`${url}/notifications`);
    const liked = alice.locator('.timeline .notice', { hasText: 'The herons are back' });
    expect(await liked.textContent()).toMatch(/Bob\s+liked/);
    await alice.locator('.timeline .post', { hasText: 'I saw three of them' }).waitFor();

    // Bob waits on a page while alice follows him.
    await bob.goto(`${url}/notifications`);
    expect(await badge(bob).count()).toBe(0);
    await alice.goto(`${url}/bob`);
    await alice.getByRole('button', { name: /^Follow/ }).click();
    await alice.getByRole('button', { name: /^Unfollow/ }).waitFor();
    await badge(bob).waitFor();
    await bob.reload();
    expect(await bob.locator('.timeline .notice').first().textContent()).toMatch(/Alice\s+followed you/);
    expect(faults).toEqual([]);
  });

  test('one asks to follow a protected account, whose owner accepts; only then the posts are shown', async () => {
    await dave.goto(`${url}/home`);
    await alice.goto(`${url}/dave`);
    expect(await alice.textContent('main')).not.toContain('Nobody but followers reads this');
    await alice.getByRole('button', { name: /^Follow/ }).click();
    await alice.getByRole('button', { name: /^Withdraw request/ }).waitFor();
    await badge(dave).waitFor();
    await badge(dave).click();
    await dave.locator('.timeline a', { hasText: 'Answer follow requests' }).first().click();
    await dave.getByRole('button', { name: 'Accept @alice' }).click();
    await dave.getByText('Request accepted.').waitFor();
    await alice.reload();
    await alice.getByText('Nobody but followers reads this').waitFor();
    await alice.getByRole('button', { name: /^Unfollow/ }).waitFor();
    expect(faults).toEqual([]);
  });
});
