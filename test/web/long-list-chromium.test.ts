import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { webWorld } from './support/web-world.js';

/** The posts that are scrolled; docs/web.md has the figures of 5,000. */
const POSTS = Number(process.env['PIPIT_TEST_LONG_LIST'] ?? 2_000);
/** The followers of bob: as many as fill several pages. */
const FOLLOWERS = 260;
const PER_PAGE = 20;
const FIRST_ID = 1_700_000_000_000_000_000n;
const MAX_FRAME_MS = 50;

/** Long lists in a real browser, by its own trace. */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let app: TestApp;
  let url: string;
  let chromium: Browser;

  beforeAll(async () => {
    const world = webWorld();
    const posts = Array.from({ length: 2 * PER_PAGE }, (_, index) => ({
      id: String(FIRST_ID + BigInt(index) * 1_000_000_000n),
      author: 'alice',
      text: `Post ${index} of many, with @bob, #birds and https://example.com/${'path/'.repeat(index % 7)}`,
    }));
    const names = Array.from({ length: FOLLOWERS }, (_, index) => `follower${index}`);
    const followers = names.map((username, index) => ({
      id: String(9_000 + index),
      username,
      name: username,
    }));
    app = await startTestApp({
      world: {
        ...world,
        users: [...(world.users ?? []), ...followers],
        follows: names.map((from) => ({ from, to: 'bob' })),
        posts,
        likes: [],
        bookmarks: [],
      },
    });
    url = await app.listen();
    chromium = await openChromium();
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
  });

  /** Serves one page of the server as every further page, with ids of its own: the browser is measured, not the server. */
  async function serveMany(page: Page): Promise<void> {
    const [last = ''] = /\/alice\?before=\d+/.exec((await app.get('/alice')).body as string) ?? [];
    const template = String((await app.get(last)).body);
    const ids = [...new Set([...template.matchAll(/id="post-(\d+)"/g)].map(([, id = '']) => id))];
    let served = PER_PAGE;
    await page.route('**/alice?before=*', async (route) => {
      const from = served;
      served += PER_PAGE;
      let body = template;
      ids.forEach((id, index) => {
        body = body.replaceAll(id, String(FIRST_ID - BigInt(from + index)));
      });
      const next = served < POSTS ? `<a href="/alice?before=${served}" rel="next">Older posts</a>` : '';
      body = body.replace(/<nav class="pages"[^]*?<\/nav>/, `<nav class="pages">${next}</nav>`);
      await route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
    });
  }

  /** Returns the number of nodes and the bytes of the heap, without what waits for the collector. */
  async function memory(session: CDPSession): Promise<{ nodes: number; heap: number }> {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (name: string): number => metrics.find((each) => each.name === name)?.value ?? 0;
    return { nodes: value('Nodes'), heap: value('JSHeapUsedSize') };
  }

  const scrollUntil = (page: Page, posts: number): Promise<void> =>
    page.evaluate(`(async () => {
      while (document.querySelectorAll('.timeline .page').length < ${posts / PER_PAGE}) {
        scrollBy({ top: 1200, behavior: 'instant' });
        await new Promise(requestAnimationFrame);
      }
    })()`);

  test(`scrolling ${POSTS} posts has no frame above 50 ms, and memory stays flat`, async () => {
    const page = await (await chromium.newContext({ viewport: { width: 390, height: 800 } })).newPage();
    await serveMany(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.goto(`${url}/alice`);
    await scrollUntil(page, POSTS / 4);
    const early = await memory(session);
    await chromium.startTracing(page, { categories: ['toplevel', '__metadata'] });
    await scrollUntil(page, POSTS);
    const trace = JSON.parse((await chromium.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const late = await memory(session);
    const longestMs = longestTaskMs(trace.traceEvents);
    if (process.env['PIPIT_TEST_LONG_LIST'] !== undefined) console.log({ POSTS, longestMs, early, late });
    expect(longestMs).toBeLessThan(MAX_FRAME_MS);
    expect(await page.locator('.timeline .post').count()).toBeLessThan(POSTS / 4);
    expect(late.nodes).toBeLessThan(early.nodes * 1.5);
    expect(late.heap).toBeLessThan(early.heap + 8 * 1024 ** 2);
    // Back at the top, the first posts are there again.
    await page.evaluate('scrollTo(0, 0)');
    // The browser renders a post, and so its text, some frames after it comes into view.
    await expect
      .poll(() => page.locator('.timeline .post').first().innerText(), { timeout: 20_000 })
      .toContain(`Post ${2 * PER_PAGE - 1} of`);
  }, 120_000);

  test('a long list of people loads its pages as one scrolls, and holds those near the window', async () => {
    const page = await (await chromium.newContext({ viewport: { width: 390, height: 800 } })).newPage();
    await page.goto(`${url}/bob/followers`);
    const ids = new Set<string>();
    const shown = page.locator('.timeline .person');
    const look = async (): Promise<void> => {
      for (const id of await shown.evaluateAll((all) => all.map((each) => each.id))) ids.add(id);
    };
    for (await look(); await page.locator('.pages a[rel=next]').count(); await look()) {
      await page.evaluate('scrollBy({ top: 2400, behavior: "instant" })');
      await page.locator('.timeline:not([aria-busy=true])').waitFor();
    }
    await look();
    expect(ids.size).toBe(FOLLOWERS);
    expect(await shown.count()).toBeLessThan(FOLLOWERS);
    // People that were taken out are there again when one comes back to them.
    const second = page.locator('.timeline .page:nth-child(2)');
    expect(await second.locator('.person').count()).toBe(0);
    await second.evaluate((each) => each.scrollIntoView());
    await expect.poll(() => second.locator('.person').count()).toBe(50);
  }, 60_000);
});

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** The time of the thread, in microseconds: what other processes take of the machine does not count. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** Returns the longest task of the main threads of pages, which delays a frame by as much. */
function longestTaskMs(events: readonly TraceEvent[]): number {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && mains.has(`${pid} ${tid}`),
  );
  expect(tasks.length).toBeGreaterThan(100);
  return Math.max(...tasks.map(({ tdur, dur = 0 }) => (tdur ?? dur) / 1_000));
}
