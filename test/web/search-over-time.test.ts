import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** The counts of a search over the whole archive, as an endpoint and as a page. */

const TIMES = [
  '2019-12-31T23:30:00Z',
  '2020-02-29T10:15:00Z',
  '2020-02-29T10:45:00Z',
  '2020-02-29T12:00:00Z',
];

let app: TestApp;
let visitor: Browser;

beforeAll(async () => {
  const world = webWorld();
  const posts = TIMES.map((created_at) => ({
    id: String(firstIdAt(Date.parse(created_at))),
    author: 'alice',
    text: 'a bittern in the reeds',
    created_at,
  }));
  app = await startTestApp({ world: { ...world, posts: [...(world.posts ?? []), ...posts] } });
  visitor = openBrowser(app);
});
afterAll(() => app.close());

const countsOf = (text: string) => [
  ...text.matchAll(/<tr>\s*<th scope="row"><a href="([^"]+)">([^<]+)<\/a><\/th>\s*<td[^>]*>([^<]+)</g),
];

test('a year leads to its months, a month to its days, a day to its hours, an hour to its posts', async () => {
  let path = '/search?q=bittern&f=time&unit=year';
  const seen: string[] = [];
  for (let depth = 0; depth < 4; depth += 1) {
    const answer = await visitor.get(path);
    expectValidPage(answer, path);
    const rows = countsOf(answer.text);
    seen.push(rows.map(([, , name, count]) => `${name} ${count}`).join(', '));
    path = (rows.at(-1)?.[1] ?? '').replaceAll('&amp;', '&');
  }
  expect(seen).toEqual([
    '2019 1, 2020 3',
    '2020-02 3',
    '2020-02-29 3',
    '2020-02-29 10:00 2, 2020-02-29 12:00 1',
  ]);
  const posts = await visitor.get(path);
  expect(posts.text).toContain('a bittern in the reeds');
  expect(posts.text.match(/<article/g)).toHaveLength(1);
});

test('a query or a time that cannot be read says why; too many periods are refused', async () => {
  for (const [path, reason] of [
    ['/search?q=%22open&f=time', 'quot'],
    ['/search?q=bittern&f=time&from=yesterday', 'start_time'],
    ['/search?q=bittern&f=time&unit=hour', 'At most 1000 periods'],
  ] as const) {
    const answer = await visitor.get(path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(reason);
  }
  const none = await visitor.get('/search?q=absent&f=time');
  expect(none.text).toContain('No public post matches.');
});

test('one period is shown by shorter ones, unless a unit is asked for', async () => {
  const path = '/search?q=bittern&f=time&from=2020-02-01T00:00:00Z&to=2020-03-01T00:00:00Z';
  const names = async (query: string) => countsOf((await visitor.get(query)).text).map(([, , name]) => name);
  expect(await names(path)).toEqual(['2020-02-29 10:00', '2020-02-29 12:00']);
  expect(await names(`${path}&unit=month`)).toEqual(['2020-02']);
});

test('people who are signed in see the same counts', async () => {
  const alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
  const answer = await alice.get('/search?q=bittern&f=time');
  expect(countsOf(answer.text).map(([, , name]) => name)).toEqual(['2019-12', '2020-02']);
});
