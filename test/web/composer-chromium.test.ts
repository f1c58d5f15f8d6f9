import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { png } from '../api/support/media-files.js';
import { faultsOf } from './support/accessibility.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Writing posts with the script, as people do. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let url: string;
  let chromium: Browser;
  /** The session, for a context of each test: drafts of one must not reach the next. */
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  let context: BrowserContext;
  let folder: string;
  let files: string[];

  beforeAll(async () => {
    app = await startTestApp({ world: webWorld() });
    url = await app.listen();
    chromium = await openChromium();
    signedIn = await newSession();
    folder = mkdtempSync(join(tmpdir(), 'pipit-test-'));
    const names = ['one.png', '<b>two&.png', 'three.png'];
    files = names.map((name) => join(folder, name));
    for (const file of files) writeFileSync(file, await png(60, 40));
  });
  beforeEach(async () => {
    context = await chromium.newContext({ storageState: signedIn });
  });
  afterEach(() => context.close());
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await closeWindows(chromium);
    await app?.close();
  });

  /** Signs alice in and returns what her browser keeps. */
  async function newSession(): Promise<typeof signedIn> {
    const first = await chromium.newContext();
    const page = await first.newPage();
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', 'alice');
    await page.fill('[name=password]', PASSWORDS.alice);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
    const session = await first.storageState();
    await first.close();
    return session;
  }

  /** Opens a page whose console must stay empty, but for what is expected. */
  async function open(path: string, expected = /^$/): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const note = (text: string): void => {
      if (!expected.test(text)) console.error(text);
    };
    page.on('console', (message) => note(message.text()));
    page.on('pageerror', (error) => note(error.message));
    await page.goto(url + path);
    return page;
  }

  const choose = (page: Page, paths: string[], part = 0) =>
    page.locator('.part').nth(part).locator('input[type=file]').setInputFiles(paths);

  /** Waits until this many files are there, and none is on its way. */
  const uploaded = (page: Page, count: number): Promise<void> =>
    expect
      .poll(() => page.locator('.attached-file:not([data-state]) [name=media]:not([value=""])').count(), {
        timeout: 20_000,
      })
      .toBe(count);

  test('pictures are uploaded as they are chosen, described, moved, removed and posted', async () => {
    const page = await open('/home');
    await page.fill('#text', 'Three pictures');
    await choose(page, files);
    await uploaded(page, 3);
    expect(await page.textContent('.remind')).toContain('3 files have no description');
    await page.locator('[name=alt]').nth(0).fill('The first');
    await page.locator('[name=alt]').nth(1).fill('The <second>');
    await page.locator('[value^=earlier]').nth(1).press('Enter');
    await page.locator('[value^=remove]').nth(2).click();
    expect(await page.textContent('.remind')).toBe('');
    await page.close({ runBeforeUnload: false });
    // The draft survives the closed tab, with its pictures.
    const again = await open('/home');
    await uploaded(again, 2);
    expect(await again.inputValue('#text')).toBe('Three pictures');
    await Promise.all([again.waitForURL('**/status/*'), again.press('#text', 'Control+Enter')]);
    const alts = await again.evaluate(
      `[...document.querySelectorAll('.post.main .attached img')].map((each) => each.alt)`,
    );
    expect(alts).toEqual(['The <second>', 'The first']);
    await again.goto(`${url}/home`);
    expect(await again.inputValue('#text')).toBe('');
    await again.close();
  });

  test('a refused upload is explained and can be tried again; a lost connection loses nothing', async () => {
    const page = await open('/compose/post', /Failed to load resource|ERR_/);
    await page.fill('#text', 'Through thick and thin');
    await page.route('**/i/media', (route) => route.abort());
    await choose(page, files.slice(0, 1));
    await page.waitForSelector('.attached-file .fault');
    await page.locator('[name=alt]').fill('Survives');
    await page.click('.send > button:last-child');
    expect(await page.textContent('.told')).toContain('Try again, or remove it');
    await page.unroute('**/i/media');
    await page.click('.attached-file .fault button');
    await uploaded(page, 1);
    await page.route('**/compose/post', (route) => route.abort());
    await page.click('.send > button:last-child');
    await page.waitForSelector('.told .bad:has-text("cannot be reached")');
    await page.unroute('**/compose/post');
    expect([await page.inputValue('#text'), await page.inputValue('[name=alt]')]).toEqual([
      'Through thick and thin',
      'Survives',
    ]);
    await Promise.all([page.waitForURL('**/status/*'), page.click('.send > button:last-child')]);
    expect(await page.getAttribute('.post.main .attached img', 'alt')).toBe('Survives');
    await page.close();
  });

  test('a thread goes on where it was refused, and survives a closed tab', async () => {
    const page = await open('/home', /400/);
    await page.fill('#text', 'Part one of a thread');
    await page.click('.tools [value=show]');
    await page.waitForSelector('.send [value=add]');
    await page.click('.send [value=add]');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await page.keyboard.type('x'.repeat(3));
    await page.locator('.part').nth(1).locator('textarea').fill('y'.repeat(281));
    await page.click('.send [value=add]');
    await page.locator('.part').nth(2).locator('textarea').fill('Part three');
    await choose(page, files.slice(1, 2), 2);
    await uploaded(page, 1);
    await page.click('.send > button:last-child');
    await page.waitForSelector('.told .good');
    expect(await page.textContent('.told')).toContain('1 of 3 posts are posted');
    expect(await page.locator('.part').count()).toBe(2);
    const parent = await page.inputValue('[name=reply_to]');
    await page.close();
    const again = await open(`/compose/post?reply_to=${parent}`);
    await uploaded(again, 1);
    await again.locator('.part textarea').first().fill('Part two');
    await Promise.all([again.waitForURL('**/status/*'), again.click('.send > button:last-child')]);
    const shown = String(await again.textContent('main'));
    expect(shown).toMatch(/Part one of a thread[^]*Part two[^]*Part three/);
    await again.close();
  });

  test('pasted and dropped files are attached; the form of an ended session keeps everything', async () => {
    const page = await open('/compose/post', /403/);
    await page.fill('#text', 'Pasted and dropped');
    for (const kind of ['paste', 'drop']) {
      await page.evaluate(`{
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob('${(await png(8, 8)).toString('base64')}'), (each) => each.charCodeAt(0));
        data.items.add(new File([bytes], '${kind}.png', { type: 'image/png' }));
        const event = '${kind}' === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
        document.getElementById('text').dispatchEvent(event);
      }`);
    }
    await uploaded(page, 2);
    await page.locator('[name=alt]').first().fill('Kept');
    await page.evaluate(`document.querySelector('.composer [name=csrf]').value = 'old'`);
    await page.click('.send > button:last-child');
    await page.waitForSelector('.told .bad:has-text("out of date")');
    await uploaded(page, 2);
    expect(await page.locator('[name=alt]').first().inputValue()).toBe('Kept');
    await Promise.all([page.waitForURL('**/status/*'), page.click('.send > button:last-child')]);
    expect(await page.locator('.post.main .attached img').count()).toBe(2);
    await page.close();
  });

  test('usernames, hashtags and operators are completed with the keyboard, in posts and in the search', async () => {
    const page = await open('/compose/post');
    await choose(page, files.slice(0, 1));
    await uploaded(page, 1);
    await page.fill('#text', 'Hello ');
    await page.locator('#text').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('@bo');
    await page.waitForSelector('.completions [data-text="@bob"]');
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getAttribute('#text', 'aria-controls')).toBe('completions');
    await page.keyboard.press('ArrowDown');
    const active = await page.getAttribute('#text', 'aria-activedescendant');
    expect(await page.getAttribute(`#${active}`, 'aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#text')).toBe('Hello @bob ');
    expect(await page.locator('.completions').count()).toBe(0);
    expect(await page.textContent('output.left')).toBe(String(280 - 11));
    await page.keyboard.type('@bo');
    await page.waitForSelector('.completions li');
    await page.keyboard.press('Escape');
    expect(await page.locator('.completions').count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#text')).toBe('Hello @bob @bo\n');
    await page.goto(`${url}/explore`);
    await page.locator('#q').pressSequentially('pond @bo');
    await page.waitForSelector('.completions [data-text="@bob"]');
    await page.press('#q', 'Tab');
    expect(await page.inputValue('#q')).toBe('pond @bob ');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    // An operator leads to its values.
    await page.locator('#q').pressSequentially('-fr');
    await page.waitForSelector('.completions [data-text="-from:"]');
    expect([await page.getAttribute('#q', 'role'), await page.getAttribute('#q', 'aria-expanded')]).toEqual([
      'combobox',
      'true',
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await page.press('#q', 'ArrowDown');
    await page.press('#q', 'Enter');
    expect(await page.inputValue('#q')).toBe('pond @bob -from:');
    await page.locator('#q').pressSequentially('bo');
    await page.waitForSelector('.completions [data-text="-from:bob"]');
    await page.press('#q', 'ArrowDown');
    await page.press('#q', 'Enter');
    await page.locator('#q').pressSequentially('has:im');
    await page.waitForSelector('.completions [data-text="has:images"]');
    await page.press('#q', 'ArrowUp');
    await page.press('#q', 'Tab');
    expect(await page.inputValue('#q')).toBe('pond @bob -from:bob has:images ');
    expect(await page.getAttribute('#q', 'aria-expanded')).toBe('false');
    // A word may be no operator: Tab leaves the field.
    await page.locator('#q').pressSequentially('to');
    await page.waitForSelector('.completions [data-text="to:"]');
    await page.press('#q', 'Tab');
    expect(await page.inputValue('#q')).toMatch(/ to$/);
    expect(await page.evaluate('document.activeElement.id')).not.toBe('q');
    await page.close();
  });

  test('a deletion can be undone, and is sent when its time is over or the page is left', async () => {
    const [kept, gone] = [await written('To be kept'), await written('To be deleted')];
    const page = await open('/home');
    const card = (id: string) => page.locator(`.timeline .post[data-id="${id}"]`);
    const remove = async (id: string): Promise<void> => {
      await card(id).locator('a[aria-label=More]').click();
      await page.locator('dialog a.danger').click();
      expect(await card(id).isVisible()).toBe(false);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Undo');
    };
    await remove(kept);
    await page.keyboard.press('Enter');
    expect(await card(kept).isVisible()).toBe(true);
    await remove(gone);
    await page.goto(`${url}/explore`);
    await expect
      .poll(async () => (await page.request.get(`${url}/alice/status/${gone}`)).status(), { timeout: 20_000 })
      .toBe(404);
    expect((await page.request.get(`${url}/alice/status/${kept}`)).status()).toBe(200);
    await page.close();
  }, 60_000);

  test('a deletion that is lost with its page is sent by the next page of the same account only', async () => {
    const id = await written('To be deleted late');
    const page = await open('/home');
    const status = async (): Promise<number> =>
      (await page.request.get(`${url}/alice/status/${id}`)).status();
    await page.locator(`.timeline .post[data-id="${id}"] a[aria-label=More]`).click();
    await page.locator('dialog a.danger').click();
    await page.evaluate(`fetch = () => Promise.reject(new TypeError('lost'))`);
    await context.clearCookies();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/delete')) sent.push(request.url());
    });
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', 'bob');
    await page.fill('[name=password]', PASSWORDS.bob);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
    await page.goto(`${url}/alice/status/${id}`);
    expect(sent).toEqual([]);
    expect(await status()).toBe(200);
    await context.clearCookies();
    await context.addCookies(signedIn.cookies);
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/delete')),
      page.goto(`${url}/explore`),
    ]);
    await expect.poll(status).toBe(404);
    await expect.poll(() => page.evaluate('Object.keys(localStorage).join()')).not.toContain(id);
    expect(sent).toHaveLength(1);
    await page.goto(`${url}/home`);
    expect(sent).toHaveLength(1);
    await page.close();
  }, 60_000);

  const excerpts = async (page: Page): Promise<string[]> =>
    (await page.locator('.draft-list .text').allTextContents()).sort();

  test('drafts are listed, opened, deleted with a way back, and gone after their account signs out', async () => {
    const page = await open('/compose/drafts');
    expect(await page.textContent('.draft-list')).toContain('No drafts');
    await page.goto(`${url}/compose/post`);
    await page.click('.save-draft');
    expect(await page.textContent('.told')).toContain('Nothing is written yet');
    await page.fill('#text', 'Put <i>aside</i>');
    await choose(page, files.slice(0, 1));
    await uploaded(page, 1);
    await Promise.all([page.waitForURL('**/compose/drafts'), page.click('.save-draft')]);
    expect(await page.textContent('.draft-list .above')).toMatch(/^Post · 1 file · /);
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${url}/home`);
    expect(await page.inputValue('#text')).toBe('');
    await page.fill('#text', 'Left behind');
    const list = await open('/compose/drafts');
    expect(await excerpts(list)).toEqual(['Left behind', 'Put <i>aside</i>']);
    // The list follows other tabs.
    await page.fill('#text', 'Left behind later');
    await expect.poll(() => excerpts(list)).toEqual(['Left behind later', 'Put <i>aside</i>']);
    await list.locator('.draft-list .post:has-text("Left behind") button').click();
    expect(await excerpts(list)).toEqual(['Put <i>aside</i>']);
    await list.click('.toast button');
    expect(await excerpts(list)).toEqual(['Left behind later', 'Put <i>aside</i>']);
    await list.locator('.draft-list .post:has-text("aside") a').click();
    await uploaded(list, 1);
    expect(await list.inputValue('#text')).toBe('Put <i>aside</i>');
    await Promise.all([list.waitForURL('**/status/*'), list.press('#text', 'Control+Enter')]);
    await list.goto(`${url}/compose/drafts`);
    expect(await excerpts(list)).toEqual(['Left behind later']);
    // Drafts of another account stay.
    await page.evaluate(
      `localStorage.setItem('draft 1 ', '{"savedAt":1,"path":"/x","fields":[["text","Mine"]]}')`,
    );
    await list.evaluate(`document.querySelector('[action="/sign-out"]').requestSubmit()`);
    await list.waitForURL((address) => !address.pathname.startsWith('/compose'));
    await expect
      .poll(() => list.evaluate(`Object.keys(localStorage).filter((key) => /^draft|^signs/.test(key))`))
      .toEqual(['draft 1 ']);
    signedIn = await newSession();
    for (const each of [page, list]) await each.close();
  }, 60_000);

  test('two tabs at one place lose no word, and a full storage says that a draft is not kept', async () => {
    const [one, other] = [await open('/compose/post'), await open('/compose/post')];
    await one.fill('#text', 'From the one');
    await other.fill('#text', 'From the other');
    await one.fill('#text', 'From the one, longer');
    const list = await open('/compose/drafts', /ERR_FAILED/);
    expect(await excerpts(list)).toEqual(['From the one, longer', 'From the other']);
    await one.evaluate(
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
    );
    // A draft that cannot be shown is not replaced by what is written instead.
    await choose(other, files.slice(0, 1));
    await uploaded(other, 1);
    await list.locator('.draft-list .post:has-text("1 file")').waitFor();
    await context.route('**/compose/post', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await list.locator('.draft-list .post:has-text("1 file") a').click();
    await list.waitForSelector('.told .bad:has-text("cannot be reached")');
    await list.fill('#text', 'Instead');
    await list.goto(`${url}/compose/drafts`);
    expect(await excerpts(list)).toEqual(['From the one, longer', 'From the other', 'Instead']);
    await context.unroute('**/compose/post');
    one.on('dialog', (dialog) => {
      console.error(dialog.message());
      void dialog.accept();
    });
    await one.fill('#text', 'Too much');
    expect(await one.textContent('.not-kept')).toContain('This browser has no room for this draft');
    await one.click('.save-draft');
    expect(new URL(one.url()).pathname).toBe('/compose/post');
    await Promise.all([one.waitForURL('**/status/*'), one.press('#text', 'Control+Enter')]);
    for (const page of [one, other, list]) await page.close({ runBeforeUnload: false });
  }, 60_000);

  /** Writes a post through the API and returns its id. */
  async function written(text: string): Promise<string> {
    const { body } = await app.post('/2/tweets', await app.as('alice'), { text });
    return body.data.id as string;
  }
});
