import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const MANY = 65;

/**
 * Returns a script for where the next frame paints a post. Before the frame, posts that come into view do not have their
 * own heights yet. The result is not a number if there is no such post.
 */
function paintedTopOf(text: string): string {
  return `new Promise((resolve) => requestAnimationFrame(() => {
    const post = () => [...document.querySelectorAll('.timeline .post')]
      .find((each) => each.textContent.includes(${JSON.stringify(text)}));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(Math.round(post()?.getBoundingClientRect().top));
    port2.postMessage('painted');
  }))`;
}

/** Reading in a real browser: what is new, long lists, the place in them. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let url: string;
  let chromium: Browser;
  /** Bob, who follows alice. */
  let page: Page;
  let alice: string;
  const messages: string[] = [];

  beforeAll(async () => {
    const world = webWorld();
    const posts = Array.from({ length: MANY }, (_, index) => ({
      id: String(1_700_000_000_000_000_000n + BigInt(index) * 1_000_000_000n),
      author: 'alice',
      text: `Post ${index} of many`,
    }));
    app = await startTestApp({ world: { ...world, posts: [...(world['posts'] ?? []), ...posts] } });
    url = await app.listen();
    alice = await app.as('alice');
    chromium = await openChromium();
    page = await (await chromium.newContext()).newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', 'bob');
    await page.fill('[name=password]', PASSWORDS.bob);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  const post = async (text: string, more: object = {}, token = alice): Promise<string> => {
    const answer = await app.post('/2/tweets', token, { text, ...more });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };
  const bar = () => page.locator('.news button');
  const firstText = () => page.locator('.timeline .post .text').first().textContent();
  const topOf = (text: string) => page.evaluate<number>(paintedTopOf(text));

  test('new posts are announced without a jump, and a click shows them', async () => {
    await page.goto(`${url}/home`);
    const before = await topOf(`Post ${MANY - 1} of`);
    await post('First news');
    await post('Second news');
    await bar().getByText('2 new posts').waitFor();
    expect(await topOf(`Post ${MANY - 1} of`)).toBe(before);
    expect(await page.locator('.news [role=status]').textContent()).toMatch(/new post/);
    await bar().focus();
    await page.keyboard.press('Enter');
    await page.getByText('First news').waitFor();
    expect(await firstText()).toBe('Second news');
    expect(await bar().isHidden()).toBe(true);
    // The focus goes to the first new post, from which reading continues.
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Second news');
    expect(messages).toEqual([]);
  });

  test('someone in the middle of the list stays there, and is led to the new posts by a second click', async () => {
    await page.goto(`${url}/home`);
    await page
      .locator('.timeline .post', { hasText: 'Post 50 of' })
      .evaluate((each) => each.scrollIntoView());
    const before = await topOf('Post 50 of');
    await post('More news');
    await bar().getByText('1 new post').click();
    await bar().getByText('New posts are above').waitFor();
    expect(Math.abs((await topOf('Post 50 of')) - before)).toBeLessThanOrEqual(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await bar().click();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('More news');
    expect(await topOf('More news')).toBeLessThan(200);
    await page.emulateMedia({ reducedMotion: null });
  });

  test('likes and messages change the numbers in navigation and title; replies are announced in a conversation', async () => {
    await page.goto(`${url}/alice/status/${POSTS.hello}`);
    const reply = await post('Not for you', { reply: { in_reply_to_tweet_id: POSTS.hello } });
    await bar().getByText('1 new reply').waitFor();
    await app.post(`/2/users/1001/likes`, alice, { tweet_id: POSTS.reply });
    await page.locator('a[href="/notifications"] .badge-count').waitFor();
    expect(await page.title()).toMatch(/^\(\d+\) Alice/);
    await bar().click();
    await page.locator(`#post-${reply}`).waitFor();
    expect(messages).toEqual([]);
  });

  test('coming back shows the same posts at the same place', async () => {
    await page.goto(`${url}/alice`);
    const toEnd = async (): Promise<number> => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      return page.locator('.pages a[rel=next]').count();
    };
    await expect.poll(toEnd, { timeout: 10_000 }).toBe(0);
    const post8 = page.locator('.timeline .post', { hasText: 'Post 8 of' });
    await post8.evaluate((each) => each.scrollIntoView({ block: 'center' }));
    const before = await topOf('Post 8 of');
    await Promise.all([page.waitForURL('**/status/*'), post8.locator('a.time').click()]);
    const id = /status\/(\d+)/.exec(page.url())?.[1] ?? '';
    await page.locator('.post.main button.like').click();
    await page.waitForSelector('.post.main button.like[aria-label="Like, 1"]');
    await page.addInitScript(
      `addEventListener('DOMContentLoaded', () => { window.firstTop = ${paintedTopOf('Post 8 of')}; })`,
    );
    await page.goBack();
    expect(Math.abs((await page.evaluate<number>('firstTop')) - before)).toBeLessThanOrEqual(2);
    expect(Math.abs((await topOf('Post 8 of')) - before)).toBeLessThanOrEqual(2);
    // What the reader did meanwhile is there, too.
    await page.waitForSelector(`#post-${id} button.like[aria-label="Like, 1"]`);
    expect(messages).toEqual([]);
  });

  test('keys move between posts, act on them and lead to pages; none does while someone writes', async () => {
    await page.goto(`${url}/home`);
    await page.keyboard.press('j');
    const focused = () => page.evaluate<string>('document.activeElement.dataset.id ?? ""');
    const first = await focused();
    await page.keyboard.press('j');
    const second = await focused();
    expect(second).not.toBe(first);
    await page.keyboard.press('k');
    expect(await focused()).toBe(first);
    await page.keyboard.press('b');
    await page.waitForSelector('.timeline .post:first-child button.bookmark[aria-pressed=true]');
    // In a field, keys write.
    await page.keyboard.press('n');
    await page.keyboard.type('jkl?gh');
    expect(await page.locator('form.composer textarea').first().inputValue()).toBe('jkl?gh');
    await page.locator('form.composer textarea').first().fill('');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    const map = page.locator('dialog.keys');
    expect(await map.innerText()).toContain('Previous post');
    // Switched off, single keys do nothing, and Ctrl+/ shows the map.
    await map.getByLabel('Single keys act').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    expect(page.url()).toBe(`${url}/home`);
    await page.keyboard.press('Control+/');
    await map.getByLabel('Single keys act').check();
    await map.getByText('Close').click();
    await page.keyboard.press('g');
    await Promise.all([page.waitForURL('**/notifications'), page.keyboard.press('n')]);
    expect(messages).toEqual([]);
  });

  test('times are those of the reader’s zone and language, and a tap makes brief ones exact', async () => {
    const context = await chromium.newContext({
      timezoneId: 'Asia/Tokyo',
      locale: 'de-DE',
      hasTouch: true,
      viewport: { width: 390, height: 800 },
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(20_000);
    await tab.goto(`${url}/alice`);
    // The first page does not know the zone yet, and moves nothing.
    expect(await tab.locator('.timeline time').first().getAttribute('title')).toMatch(/ um |, /);
    await tab.reload();
    const time = tab.locator('.timeline .post', { hasText: 'Post 60 of' }).locator('time');
    const postedAt = (await time.getAttribute('datetime')) ?? '';
    const hour = (new Date(postedAt).getUTCHours() + 9) % 24;
    expect(await time.getAttribute('title')).toContain(`${String(hour).padStart(2, '0')}:`);
    expect(await time.getAttribute('lang')).toBe('de-DE');
    const exact = (await time.getAttribute('title')) ?? '';
    await time.tap();
    expect(await time.textContent()).toBe(exact);
    await Promise.all([tab.waitForURL('**/status/*'), time.tap()]);
    await context.close();
  });

  test('signing out forgets the lists that the tab kept', async () => {
    const kept = () =>
      page.evaluate<string[]>('Object.keys(sessionStorage).filter((key) => key.startsWith("place "))');
    await page.goto(`${url}/home`);
    await page.goto(`${url}/alice`);
    expect(await kept()).toContain('place /home');
    await Promise.all([
      page.waitForURL((to) => to.pathname !== '/alice'),
      page.evaluate(`document.querySelector('form[action="/sign-out"]').requestSubmit()`),
    ]);
    expect(await kept()).toEqual([]);
  });
});
