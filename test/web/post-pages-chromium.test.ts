import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gif, mp4, png } from '../api/support/media-files.js';
import { openUploads, type Uploads } from '../api/support/uploads.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { HOSTILE, PAGE_POSTS as P, publicWorld } from './support/public-world.js';

const LONG = 'W'.repeat(50);

/** Pages of posts in a real browser. PIPIT_SCREENSHOTS names a folder for screenshots. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: Uploads;
  let url: string;
  let chromium: Browser;
  let paths: Record<string, string>;

  beforeAll(async () => {
    const world = publicWorld();
    const users = [
      ...(world['users'] ?? []),
      { id: '1020', username: 'long', name: LONG, description: LONG, url: `https://example.com/${LONG}` },
      { id: '1021', username: 'rtl', name: 'طائر صغير', description: 'أحب الطيور' },
    ];
    app = await openUploads({ world: { ...world, users } });
    const post = async (body: object, username = 'alice'): Promise<string> =>
      String((await app.json('POST', '/2/tweets', body, username)).body.data.id);
    const media = [await app.uploaded(await png(600, 400)), await app.uploaded(await png(400, 600))];
    const photos = await post({ text: 'Two photos', media: { media_ids: media } });
    const film = await post({
      text: 'Film',
      media: { media_ids: [await app.uploaded(mp4(), 'tweet_video')] },
    });
    const animated = await post({
      text: 'GIF',
      media: { media_ids: [await app.uploaded(gif(), 'tweet_gif')] },
    });
    const long = await post({ text: 'ä'.repeat(270) }, 'long');
    const rtl = await post({ text: 'مرحبا بالعالم! https://example.com/path #وسم' }, 'rtl');
    paths = {
      conversation: `/alice/status/${P.top}`,
      photos: `/alice/status/${photos}`,
      photo: `/alice/status/${photos}/photo/2`,
      film: `/alice/status/${film}`,
      animated: `/alice/status/${animated}`,
      poll: `/alice/status/${P.poll}`,
      quote: `/bob/status/${P.quote}`,
      hostile: `/hostile/status/${P.hostile}`,
      long: `/long/status/${long}`,
      rtl: `/rtl/status/${rtl}`,
      profile: '/alice',
      'long-profile': '/long',
      empty: '/quiet',
      protected: '/dave',
      refused: '/dave/status/1500000000000000003',
    };
    url = await app.listen();
    chromium = await openChromium();
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  test('Arabic runs from right to left in its place, and the page stays as it is', async () => {
    const page = await chromium.newPage();
    await page.goto(`${url}${paths['rtl']}`);
    const directionOf = (selector: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    expect(await directionOf('.post.main .text')).toBe('rtl');
    expect(await directionOf('.post.main .name')).toBe('rtl');
    expect(await directionOf('.post.main .handle')).toBe('ltr');
    expect(await directionOf('body')).toBe('ltr');
    await page.close();
  });

  test('no element overflows and nothing is blocked at 390 pixels, dark, and at 1280 pixels, light', async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    const folder = process.env['PIPIT_SCREENSHOTS'];
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(url + path);
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1280, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const at = `${name}-${width}-${colorScheme}`;
        expect(await page.evaluate('window.innerWidth'), at).toBe(width);
        const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
        expect(wide, `${at} sticks out`).toBe(false);
        const broken = `[...document.images].filter((each) => !each.src.includes('/media/90') && each.complete && each.naturalWidth === 0).length`;
        expect(await page.evaluate(broken), `pictures of ${at}`).toBe(0);
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${at}.png`, fullPage: true });
      }
    }
    const isOfUs = (text: string) => !/404|403/.test(text);
    expect(messages.filter(isOfUs)).toEqual([]);
    await context.close();
  });

  test('markup in a text is shown as text; right-to-left text is laid out so, even after a handle', async () => {
    const page = await chromium.newPage();
    await page.goto(url + (paths['hostile'] ?? ''));
    expect(await page.locator('article.main .text').innerText()).toBe(HOSTILE);
    await page.goto(url + (paths['rtl'] ?? ''));
    const direction = `getComputedStyle(document.querySelector('article.main .text')).direction`;
    expect(await page.evaluate(direction)).toBe('rtl');
    await page.close();
  });
});
