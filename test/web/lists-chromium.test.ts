import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Lists in a real browser: from a profile to a tab of the home timeline. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let chromium: Browser;

  beforeAll(async () => {
    const world = webWorld();
    app = await startTestApp({
      world: {
        ...world,
        lists: [{ id: '501', owner: 'bob', name: 'Pond', members: [] }],
      },
    });
    chromium = await openChromium();
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  test('a user is added from the profile, and the pinned List is a tab', async () => {
    const url = await app.listen();
    const page = await (await chromium.newContext()).newPage();
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', 'bob');
    await page.fill('[name=password]', PASSWORDS.bob);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);

    await page.goto(`${url}/alice`);
    await page.click('.more-acts > summary');
    await page.click('text=Add to Lists');
    await page.click('#list-501 button');
    await page.waitForSelector('#list-501 button:has-text("Remove")');
    await page.goto(`${url}/i/lists/501/members`);
    expect(await page.textContent('.timeline .person .handle')).toBe('@alice');

    await page.goto(`${url}/i/lists/501`);
    await page.click('text=Pin to home');
    await page.goto(`${url}/home`);
    await Promise.all([
      page.waitForURL('**/i/lists/501'),
      page.click('nav[aria-label=Timelines] a:has-text("Pond")'),
    ]);
    expect(await page.textContent('.post .text')).toContain('Hello from the pond');
    expect(messages).toEqual([]);
  });
});
