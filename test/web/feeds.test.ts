import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, standardWorld } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';

/** Atom and RSS of profiles, Lists and searches, as feed readers get them. */

const ATOM = 'application/atom+xml; charset=utf-8';
const RSS = 'application/rss+xml; charset=utf-8';

let app: TestApp;
let reader: Browser;

beforeAll(async () => {
  const world = standardWorld();
  const hostile = { id: '1600000000000000001', author: 'alice', text: 'Feed <me> & "them"\u0007 #findme' };
  app = await startTestApp({
    world: {
      ...world,
      posts: [...(world['posts'] ?? []), hostile],
      lists: [
        { id: '501', owner: 'bob', name: 'A <List> & more', members: ['alice', 'bob', 'dave'] },
        { id: '502', owner: 'bob', name: 'Nest', private: true, members: ['alice'] },
      ],
    },
  });
  await indexAllPending(app.pipit.backend.engine, () => false);
  reader = openBrowser(app);
});
afterAll(() => app.close());

/** Checks that every tag that opens is closed, in its order. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [, isEnd, name, isEmpty] of xml.matchAll(/<(\/?)([a-zA-Z:]+)[^>]*?(\/?)>/g)) {
    if (isEnd === '/') expect(open.pop()).toBe(name);
    else if (isEmpty !== '/') open.push(String(name));
  }
  expect(open).toEqual([]);
}

test.each([
  ['/alice/feed.atom', ATOM],
  ['/alice/feed.rss', RSS],
  ['/i/lists/501/feed.atom', ATOM],
  ['/i/lists/501/feed.rss', RSS],
  ['/search/feed.atom?q=from:alice', ATOM],
  ['/search/feed.rss?q=from:alice', RSS],
])('%s shows public posts as text', async (path, type) => {
  const { status, headers, text } = await reader.get(path);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(text).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<(?:feed|rss) /);
  expectWellFormed(text);
  expect(text).toContain('<title>Feed &lt;me&gt; &amp; &quot;them&quot;');
  expect(text).toContain('Feed &amp;lt;me&amp;gt;');
  expect(text).not.toContain('\u0007');
  expect(text).not.toContain('Nobody but followers');
});

test('a feed that the reader names has not changed', async () => {
  const etag = String((await reader.get('/alice/feed.atom')).headers.etag);
  const strong = etag.replace(/^W\//, '');
  for (const sent of [etag, strong, `"x", ${etag}`, `W/"y" ,${strong}`, '*']) {
    const { status, text } = await reader.get('/alice/feed.atom', { 'if-none-match': sent });
    expect([sent, status, text]).toEqual([sent, 304, '']);
  }
  for (const sent of ['', '"x"', 'W/"x"', strong.slice(1)])
    expect((await reader.get('/alice/feed.atom', { 'if-none-match': sent })).status).toBe(200);
});

test('a repost has its own address and time', async () => {
  const [entry = ''] = /<entry>[^]*?<\/entry>/.exec((await reader.get('/bob/feed.atom')).text) ?? [];
  expect(entry).toContain('Repost of Alice (@alice): Hello from the pond');
  const shown = await app.get(`/2/tweets/${POSTS.repost}?tweet.fields=created_at`, app.bearer);
  expect(entry).toContain(`<id>http://pipit.test/bob/status/${POSTS.repost}</id>`);
  expect(entry).toContain(`<published>${shown.body.data.created_at}</published>`);
});

test('what visitors do not see has no feed', async () => {
  const missing = [
    '/nobody/feed.atom',
    '/i/lists/502/feed.atom',
    '/i/lists/9/feed.rss',
    '/i/lists/x/feed.rss',
  ];
  for (const path of missing) expect([path, (await reader.get(path)).status]).toEqual([path, 404]);
  expect((await reader.get('/search/feed.atom?q=')).status).toBe(400);
  expect((await reader.get('/dave/feed.atom')).text).not.toContain('<entry>');
});

test('pages link to their feeds', async () => {
  for (const [page, feed] of [
    ['/alice', '/alice/feed.atom'],
    ['/i/lists/501', '/i/lists/501/feed.rss'],
    ['/search?q=%23findme%20%22a%22', '/search/feed.atom?q=%23findme+%22a%22'],
  ] as const)
    expect((await reader.get(page)).text).toContain(`href="${feed}"`);
  for (const page of ['/alice', '/i/lists/501', '/search?q=findme'])
    expect((await reader.get(page)).text).toMatch(/<a class="feed-link" href="[^"]+feed\.atom/);
  for (const page of ['/dave', '/search?q=a&f=people'])
    expect((await reader.get(page)).text).not.toContain('rel="alternate"');
  expect((await reader.get('/dave')).text).not.toContain('feed.atom');
});
