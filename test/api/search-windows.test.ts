import { describe, expect, it, onTestFinished } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/random-search.js';
import { createSharedDatabase } from '../support/test-database.js';
import { standardWorld } from '../support/world.js';

/** The windows of search and counts (docs/api/search.md#window), which are the same. */

const NOW_MS = Date.parse('2022-10-07T22:42:12.900Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

type Values = Readonly<Record<string, string>>;

interface Archive extends TestApp {
  /** Returns the ids that search finds, over all pages. */
  search(product: 'recent' | 'all', values?: Values): Promise<string[]>;
  /** Returns the sum of the counts, over all pages. */
  count(product: 'recent' | 'all', values?: Values): Promise<number>;
}

interface Paged {
  readonly data?: { readonly id: string; readonly tweet_count: number }[];
  readonly meta: { readonly next_token?: string };
}

async function start(posts: readonly unknown[]): Promise<Archive> {
  const world = { ...standardWorld(), posts, likes: [], bookmarks: [] };
  const app = await startTestApp({ world, clock: () => NOW_MS });
  onTestFinished(app.close);
  const pages = async (path: string, values: Values): Promise<Paged[]> => {
    const answers: Paged[] = [];
    for (let token: string | undefined = ''; token !== undefined; token = answers.at(-1)?.meta.next_token) {
      const parameters = new URLSearchParams({
        query: 'cat',
        ...values,
        ...(token && { next_token: token }),
      });
      const { status, body } = await app.get(`/2/tweets/${path}?${parameters}`, app.bearer);
      expect(status, JSON.stringify(body)).toBe(200);
      answers.push(body as Paged);
    }
    return answers;
  };
  return {
    ...app,
    search: async (product, values = {}) =>
      (await pages(`search/${product}`, values)).flatMap(({ data = [] }) => data.map(({ id }) => id)),
    count: async (product, values = {}) =>
      (await pages(`counts/${product}`, values))
        .flatMap(({ data = [] }) => data)
        .reduce((sum, period) => sum + period.tweet_count, 0),
  };
}

function post(timeMs: number, id = String(firstIdAt(timeMs))) {
  return { id, author: 'bob', text: 'cat', created_at: new Date(timeMs).toISOString() };
}

const idAt = (timeMs: number): string => String(firstIdAt(timeMs));
const second = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;

describe('within a second', () => {
  const END_MS = Date.parse('2022-10-07T22:41:42Z');
  const posts = [-1, 0, 500].map((ms) => post(END_MS + ms));

  it('the default end is the start of the second 30 seconds ago, for search and counts', async () => {
    const app = await start(posts);
    expect(await app.search('recent')).toEqual([idAt(END_MS - 1)]);
    expect(await app.count('recent')).toBe(1);
    expect(await app.search('all')).toEqual([idAt(END_MS - 1)]);
    expect(await app.count('all')).toBe(1);
  });

  it('start_time may be the second 7 days ago, and end_time the second 10 seconds ago', async () => {
    const app = await start([post(NOW_MS - 7 * DAY), post(NOW_MS - 12 * SECOND)]);
    const window = { start_time: second(NOW_MS - 7 * DAY), end_time: second(NOW_MS - 10 * SECOND) };
    expect(await app.search('recent', window)).toHaveLength(2);
    expect(await app.count('recent', window)).toBe(2);
    for (const [name, value] of [
      ['start_time', second(NOW_MS - 7 * DAY - SECOND)],
      ['end_time', second(NOW_MS - 9 * SECOND)],
    ]) {
      for (const path of ['search', 'counts']) {
        const { status } = await app.get(`/2/tweets/${path}/recent?query=cat&${name}=${value}`, app.bearer);
        expect([path, name, status]).toEqual([path, name, 400]);
      }
    }
  });
});

it('since_id does not extend recent search beyond 7 days when ids carry no time', async () => {
  const sinceId = idAt(NOW_MS - 2 * DAY);
  const app = await start([
    post(NOW_MS - DAY),
    post(Date.parse('2012-05-01T00:00:00Z'), idAt(NOW_MS - DAY + 1)),
    post(NOW_MS - 6 * DAY, idAt(NOW_MS - DAY + 2)),
  ]);
  const expected = [idAt(NOW_MS - DAY + 2), idAt(NOW_MS - DAY)];
  expect(await app.search('recent', { since_id: sinceId })).toEqual(expected);
  expect(await app.count('recent', { since_id: sinceId })).toBe(2);
  expect(await app.search('all', { since_id: sinceId })).toHaveLength(3);
  expect(await app.count('all', { since_id: sinceId })).toBe(3);
});

describe('bounds of both kinds', () => {
  it.each([
    ['since_id and end_time', { since: 5, end: 2 }, [4, 3]],
    ['until_id and start_time', { until: 2, start: 4 }, [4, 3]],
    ['until_id and an earlier end_time', { until: 2, end: 3, start: 5 }, [5, 4]],
    ['since_id and a later start_time, which is ignored', { since: 5, start: 2 }, [4, 3, 2, 1]],
    ['since_id and until_id', { since: 5, until: 2 }, [4, 3]],
    ['ids the wrong way round', { since: 2, until: 5 }, []],
  ])('%s intersect', async (_, bounds: Readonly<Record<string, number>>, minutes) => {
    const app = await start([1, 2, 3, 4, 5].map((ago) => post(NOW_MS - ago * MINUTE)));
    const at = (name: string): number => NOW_MS - (bounds[name] ?? 0) * MINUTE;
    const values: Values = {
      ...('since' in bounds && { since_id: idAt(at('since')) }),
      ...('until' in bounds && { until_id: idAt(at('until')) }),
      // Posts are created late in their second.
      ...('start' in bounds && { start_time: second(at('start')) }),
      ...('end' in bounds && { end_time: second(at('end')) }),
    };
    for (const product of ['recent', 'all'] as const) {
      const found = await app.search(product, values);
      expect(found).toEqual([...minutes].sort().map((ago) => idAt(NOW_MS - ago * MINUTE)));
      expect(await app.count(product, values)).toBe(found.length);
    }
  });
});

it('counts equal the number of search results over random windows', async () => {
  const random = seeded(29);
  const within = (ms: number): number => Math.floor(random() * ms);
  const posts = Array.from({ length: 60 }, (_, n) => {
    // Many are at the edges of the default windows.
    const ago = [
      within(8 * DAY),
      7 * DAY + within(2 * SECOND) - SECOND,
      30 * SECOND + within(2 * SECOND) - SECOND,
    ];
    const timeMs = NOW_MS - (ago[n % 3] ?? 0);
    return n % 5 === 0
      ? post(timeMs, String(1_000 + n))
      : post(timeMs, String(firstIdAt(timeMs) + BigInt(n)));
  });
  const app = await start(posts);
  let found = 0;
  for (let n = 0; n < 40; n++) {
    const [early, late] = [within(7 * DAY), within(7 * DAY)].sort((one, other) => other - one) as [
      number,
      number,
    ];
    const values: Values = {
      ...(random() < 0.5 && { start_time: second(NOW_MS - Math.max(early, 10 * SECOND)) }),
      ...(random() < 0.5 &&
        late < early - SECOND &&
        late > 10 * SECOND && { end_time: second(NOW_MS - late) }),
      ...(random() < 0.3 && { since_id: idAt(NOW_MS - within(7 * DAY - MINUTE)) }),
      ...(random() < 0.3 && { until_id: posts[within(posts.length)]?.id ?? '1' }),
    };
    const ids = await app.search('recent', { ...values, max_results: '100' });
    expect(new Set(ids).size).toBe(ids.length);
    expect(await app.count('recent', values), JSON.stringify(values)).toBe(ids.length);
    found += ids.length;
  }
  expect(found).toBeGreaterThan(200);
});

it('a token continues after a restart of the server, with the same page', async () => {
  await using database = await createSharedDatabase({ users: 'this process' });
  const posts = Array.from({ length: 25 }, (_, n) => post(NOW_MS - (n + 1) * MINUTE));
  const path = '/2/tweets/search/recent?query=cat';
  let next = '';
  let page: unknown;
  {
    const world = { ...standardWorld(), posts, likes: [], bookmarks: [] };
    await using before = await startTestApp({ database, world, clock: () => NOW_MS });
    next = `${path}&next_token=${(await before.get(path, before.bearer)).body.meta.next_token}`;
    page = (await before.get(next, before.bearer)).body;
  }
  await using after = await startTestApp({ database, world: null, clock: () => NOW_MS + DAY });
  expect((await after.get(next, after.bearer)).body).toEqual(page);
  expect(page).toMatchObject({ meta: { newest_id: idAt(NOW_MS - 11 * MINUTE), result_count: 10 } });
});
