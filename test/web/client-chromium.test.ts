import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const POSTS = 45;

/** The script of the web client in a real browser. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let url: string;
  let chromium: Browser;

  beforeAll(async () => {
    const world = webWorld();
    const posts = Array.from({ length: POSTS }, (_, index) => ({
      id: String(1_700_000_000_000_000_000n + BigInt(index) * 1_000_000_000n),
      author: 'alice',
      text: `Post ${index} of many`,
    }));
    app = await startTestApp({ world: { ...world, posts: [...(world.posts ?? []), ...posts] } });
    url = await app.listen();
    chromium = await openChromium();
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  async function signedIn(
    username: keyof typeof PASSWORDS,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; messages: string[] }> {
    const page = await (await chromium.newContext(options)).newPage();
    page.setDefaultTimeout(8_000);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', username);
    await page.fill('[name=password]', PASSWORDS[username]);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
    return { page, messages };
  }

  test('a like changes the button at once, reaches the server, and keeps the focus', async () => {
    const { page, messages } = await signedIn('bob');
    await page.goto(`${url}/alice`);
    const like = page.locator('.timeline .post').first().locator('button.like');
    await like.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.timeline .post:first-child button.like[aria-label="Like, 1"]');
    expect(await like.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate('document.activeElement.className')).toContain('like');
    expect(page.url()).toBe(`${url}/alice`);
    await page.reload();
    expect(await like.getAttribute('aria-pressed')).toBe('true');
    // A post that was deleted meanwhile: the button goes back, and the reason is announced.
    await page.evaluate(
      `document.querySelector('.timeline .post:last-child button.like').setAttribute('formaction', '/i/posts/1/like')`,
    );
    await page.locator('.timeline .post').last().locator('button.like').click();
    await page.waitForSelector('.toast.shown');
    expect(
      await page.locator('.timeline .post').last().locator('button.like').getAttribute('aria-pressed'),
    ).toBe('false');
    expect(messages.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('without script, one reads, writes, follows and searches', async () => {
    const { page } = await signedIn('bob', { javaScriptEnabled: false });
    await page.goto(`${url}/alice`);
    expect(await page.locator('.timeline .post').count()).toBe(20);
    await page.getByRole('link', { name: 'Older posts' }).click();
    await page.getByText('Post 24 of many').waitFor();
    expect(await page.locator('.timeline .post').first().innerText()).toContain('Post 24 of many');

    await page.goto(`${url}/carol`);
    const button = page.locator('button.follow');
    const isFollowed = (await button.getAttribute('value')) === 'no';
    await button.click();
    await page.locator(`button.follow[value=${isFollowed ? 'yes' : 'no'}]`).waitFor();

    await page.goto(`${url}/home`);
    await page.fill('[name=text]', 'Written without a script');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    expect(await page.textContent('.post.main .text')).toBe('Written without a script');
    await indexAllPending(app.pipit.backend.engine, () => false);
    await page.goto(`${url}/explore`);
    await page.fill('main [name=q]', 'from:alice many');
    await page.press('main [name=q]', 'Enter');
    await page.getByText('Post 44 of many').waitFor();
    await page.fill('main [name=q]', 'carol');
    await page.press('main [name=q]', 'Enter');
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.locator('.person', { hasText: '@carol' }).waitFor();
  });

  test('a click on a post opens it; one that marks its text does not', async () => {
    const { page, messages } = await signedIn('bob');
    await page.goto(`${url}/alice`);
    const text = page.locator('.timeline .post .text').first();
    const box = await text.boundingBox();
    if (!box) throw new Error('the text is not shown');
    const [y, left] = [box.y + box.height / 2, box.x + 4];
    await page.mouse.move(left, y);
    await page.mouse.down();
    await page.mouse.move(left + 60, y, { steps: 3 });
    await page.mouse.up();
    expect(String(await page.evaluate('getSelection().toString()'))).toContain('Post');
    expect(page.url()).toBe(`${url}/alice`);
    await Promise.all([page.waitForURL('**/status/*'), text.click({ position: { x: 200, y: 8 } })]);
    expect(messages).toEqual([]);
  });

  test('the part of a picture is chosen with mouse, slider and keys', async () => {
    const { page, messages } = await signedIn('bob');
    await page.goto(`${url}/my-account`);
    const half = { width: 300, height: 300, channels: 3 } as const;
    const blue = await sharp({ create: { ...half, background: '#00f' } })
      .png()
      .toBuffer();
    // Red on the left, blue on the right; upright, as the phone that took it says.
    const buffer = await sharp({ create: { ...half, width: 600, background: '#f00' } })
      .composite([{ input: blue, left: 300, top: 0 }])
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await page.setInputFiles('#picture-file', {
      name: 'no.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no'),
    });
    await page.waitForSelector('[data-shape="1"] [role=alert]');
    await page.setInputFiles('#picture-file', { name: 'me.jpg', mimeType: 'image/jpeg', buffer });
    const frame = page.locator('[data-shape="1"] .crop');
    const part = async () =>
      Promise.all(
        ['width', 'offset_left', 'offset_top'].map((name) => page.inputValue(`[name=picture_${name}]`)),
      );
    await frame.waitFor();
    expect(await part()).toEqual(['300', '150', '0']);
    await page.keyboard.press('ArrowLeft');
    expect(await part()).toEqual(['300', '135', '0']);
    await page.locator('#picture-file-zoom').fill('2');
    expect(await part()).toEqual(['150', '210', '75']);
    const box = await frame.boundingBox();
    if (!box) throw new Error('the frame is not shown');
    await page.mouse.move(box.x + 50, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 50 + box.width * 3, box.y + 50, { steps: 3 });
    await page.mouse.up();
    expect(await part()).toEqual(['150', '0', '75']);
    await page.click('main .actions button');
    await page.waitForURL('**done=saved');
    const src = await page.getAttribute('[data-shape="1"] .face', 'src');
    const { dominant } = await sharp(
      Buffer.from(await (await fetch(url + String(src))).arrayBuffer()),
    ).stats();
    expect(dominant.r - dominant.b).toBeGreaterThan(200);
    expect(messages).toEqual([]);
  });

  test('older posts are added as the end comes near, each once', async () => {
    const { page, messages } = await signedIn('bob');
    await page.goto(`${url}/alice`);
    const toEnd = async (): Promise<number> => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      return page.locator('.pages a[rel=next]').count();
    };
    await expect.poll(toEnd, { timeout: 10_000 }).toBe(0);
    expect(await page.locator('.timeline .post').count()).toBeGreaterThanOrEqual(POSTS);
    const ids = (await page.evaluate(
      `[...document.querySelectorAll('.timeline .post')].map((each) => each.id)`,
    )) as string[];
    expect(new Set(ids).size).toBe(ids.length);
    expect(messages).toEqual([]);
  });

  test('the composer counts as the server does and keeps its text over a closed page', async () => {
    const { page, messages } = await signedIn('bob');
    await page.fill('[name=text]', 'A link https://example.com/a/very/long/path/that/counts/23 and 😀');
    expect(await page.textContent('output.left')).toBe(String(280 - (7 + 23 + 5 + 2)));
    await page.goto(`${url}/alice`);
    await page.goto(`${url}/home`);
    expect(await page.inputValue('[name=text]')).toContain('A link');
    await page.fill('[name=text]', 'x'.repeat(281));
    expect(await page.textContent('output.left')).toBe('-1');
    await page.fill('[name=text]', 'Sent with the keyboard');
    await Promise.all([page.waitForURL('**/status/*'), page.press('[name=text]', 'Control+Enter')]);
    expect(await page.textContent('.post.main .text')).toBe('Sent with the keyboard');
    await page.goto(`${url}/home`);
    expect(await page.inputValue('[name=text]')).toBe('');
    expect(messages).toEqual([]);
  });
});
