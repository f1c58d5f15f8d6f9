import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { CHROMIUM, launchChromium } from './support/chromium.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const MANY = 65;

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
    chromium = await launchChromium();
    page = await (await chromium.newContext()).newPage();
    page.setDefaultTimeout(8_000);
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=username]', 'bob');
    await page.fill('[name=password]', PASSWORDS.bob);
    await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
  });
  afterAll(async () => {
    await chromium?.close();
    await app?.close();
  });

  const post = async (text: string, more: object = {}, token = alice): Promise<string> => {
    const answer = await app.post('/2/tweets', token, { text, ...more });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };
  const bar = () => page.locator('.news button');
  const firstText = () => page.locator('.timeline .post .text').first().textContent();
  const topOf = (text: string) =>
    page
      .locator('.timeline .post', { hasText: text })
      .first()
      .evaluate((each) => Math.round(each.getBoundingClientRect().top));

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
    const post20 = page.locator('.timeline .post', { hasText: 'Post 20 of' });
    await post20.evaluate((each) => each.scrollIntoView({ block: 'center' }));
    const before = await topOf('Post 20 of');
    await Promise.all([page.waitForURL('**/status/*'), post20.locator('a.time').click()]);
    const id = /status\/(\d+)/.exec(page.url())?.[1] ?? '';
    await page.locator('.post.main button.like').click();
    await page.waitForSelector('.post.main button.like[aria-label="Like, 1"]');
    await page.goBack();
    expect(Math.abs((await topOf('Post 20 of')) - before)).toBeLessThanOrEqual(2);
    // What the reader did meanwhile is there, too.
    await page.waitForSelector(`#post-${id} button.like[aria-label="Like, 1"]`);
    expect(messages).toEqual([]);
  });
});
