import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { faultsOf } from './support/accessibility.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Two people in two browsers who write to each other. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  const PAIR = `/messages/${[USERS.alice, USERS.bob].sort().join('-')}`;

  let app: TestApp;
  let url: string;
  let chromium: Browser;
  let contexts: readonly [BrowserContext, BrowserContext];

  beforeAll(async () => {
    const world = webWorld();
    const users = (world['users'] ?? []).map((user) => ({ ...(user as object), receives_dms: 'everyone' }));
    app = await startTestApp({ world: { ...world, users } });
    url = await app.listen();
    chromium = await openChromium();
    contexts = [await signedIn('alice'), await signedIn('bob')];
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  async function signedIn(username: 'alice' | 'bob'): Promise<BrowserContext> {
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', username);
    await page.fill('[name=password]', PASSWORDS[username]);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
    await page.close();
    return context;
  }

  async function open(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => console.error(error.message));
    await page.goto(url + path);
    return page;
  }

  const choose = async (page: Page, name: string): Promise<void> => {
    const file = { name, mimeType: 'image/png', buffer: await png(60, 40) };
    await page.locator('.part input[type=file]').setInputFiles(file);
    await page.waitForSelector('.attached-file:not([data-state]) [name=media]:not([value=""])', {
      state: 'attached',
    });
  };

  test('a message with a picture arrives while the other reads, and so does the answer', async () => {
    const [alice, bob] = contexts;
    const reader = await open(bob, `${PAIR}#write`);
    const list = await open(bob, '/messages');
    const writer = await open(alice, `${PAIR}#write`);
    await reader.bringToFront();
    await writer.fill('#text', 'A <i>wren</i>');
    await choose(writer, 'wren.png');
    await writer.locator('[name=alt]').fill('A small brown bird');
    expect(await faultsOf(writer)).toEqual([]);
    await writer.press('#text', 'Control+Enter');
    await reader.waitForSelector('.messages img[alt="A small brown bird"]');
    expect(await reader.textContent('.messages li:last-child .text')).toBe('A <i>wren</i>');
    await list.waitForSelector('.timeline .excerpt:has-text("A <i>wren</i>")');
    // The writer stays on the page: the message is there, and the form is empty and has the focus.
    await writer.waitForSelector('.messages li.own img[alt="A small brown bird"]');
    expect(await writer.inputValue('#text')).toBe('');
    expect(await writer.locator('.attached-file').count()).toBe(0);
    expect(await writer.evaluate('document.activeElement.id')).toBe('text');
    await reader.fill('#text', 'Lovely');
    await reader.press('#text', 'Control+Enter');
    await writer.waitForSelector('.messages li:not(.own) .text:has-text("Lovely")');
    expect(await writer.locator('.messages > li').count()).toBe(2);
    for (const page of [reader, list, writer]) await page.close();
  }, 60_000);

  test('a group is started with completed names and a dropped picture; a refusal keeps everything', async () => {
    const [alice, bob] = contexts;
    const page = await open(alice, '/messages/new');
    await page.locator('#people').pressSequentially('@bo');
    await page.waitForSelector('.completions [data-text="@bob"]');
    await page.press('#people', 'Enter');
    await page.locator('#people').pressSequentially('carol nobody0');
    await page.fill('#text', 'Hello all');
    await page.evaluate(`{
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob('${(await png(8, 8)).toString('base64')}'), (each) => each.charCodeAt(0));
      data.items.add(new File([bytes], 'drop.png', { type: 'image/png' }));
      document.getElementById('text').dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    }`);
    await page.waitForSelector('.attached-file:not([data-state])');
    await page.locator('[name=alt]').fill('Kept');
    await page.press('#text', 'Control+Enter');
    await page.waitForSelector('.told .bad:has-text("There is nobody named @nobody0")');
    expect([await page.inputValue('#text'), await page.inputValue('[name=alt]')]).toEqual([
      'Hello all',
      'Kept',
    ]);
    const list = await open(alice, '/compose/drafts');
    expect(await list.textContent('.draft-list .above')).toMatch(
      /^Message to @bob carol nobody0 · 1 file · /,
    );
    await list.close();
    await page.fill('#people', 'bob carol');
    await Promise.all([page.waitForURL(/\/messages\/\d+#write$/), page.press('#text', 'Control+Enter')]);
    expect(await page.getAttribute('.messages img', 'alt')).toBe('Kept');
    await page.close();
    const other = await open(bob, '/messages');
    await other.click('.timeline .author');
    expect(await other.textContent('.happening')).toContain('Alice added Bob and Carol.');
    await other.close();
  }, 60_000);
});
