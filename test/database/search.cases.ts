import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PostId } from '../../src/core/ids.js';
import { EVERY_KEY } from '../../src/core/page.js';
import { timeOfId } from '../../src/core/snowflake.js';
import type { SearchExpression } from '../../src/query/conditions.js';
import { readQuery } from '../../src/query/read-query.js';
import { indexAllPending, indexPending, tidyIndex } from '../../src/services/search/index-posts.js';
import { findQueryNames } from '../../src/services/search/query-names.js';
import { planSearch } from '../../src/services/search/search-plan.js';
import { listMatches } from '../../src/services/search/walk.js';
import { ALWAYS, countAll } from '../support/count-all.js';
import type { SearchWindow } from '../../src/services/search/window.js';
import type { Engine } from '../../src/database/engine.js';
import { findPost, deletePost } from '../../src/stores/posts.js';
import { markForSearch } from '../../src/database/search-pending.js';
import { SEARCH_CASES, SEARCH_POSTS } from '../query/search-cases.js';
import { naiveMatch, type SearchablePost } from '../support/naive-search.js';
import { randomPosts, randomQuery, seeded } from '../support/random-search.js';
import { rounds } from '../support/rounds.js';
import { storeSearchable, UNTIMED_MS } from '../support/store-searchable.js';
import type { TestDatabase, TestEngine } from './engines.js';

const EXPENSIVE = [
  ['nested alternately', nested(1024, (inner) => `(a OR (b ${inner}))`)],
  ['negations in negations', nested(1024, (inner) => `a -(b -(${inner}))`)],
  ['five hundred words', Array.from({ length: 500 }, () => 'a').join(' ')],
  ['two hundred alternatives', Array.from({ length: 200 }, () => 'a').join(' OR ')],
  ['a repeated ligature of eighteen letters', '\ufdfa'.repeat(1024)],
  ['a phrase of such', `"${'\ufdfa '.repeat(510)}"`],
  ['a run of an unspaced script', '\u6771'.repeat(1024)],
  ['beginnings of words', Array.from({ length: 200 }, () => '\u6771').join(' OR ')],
  ['a phrase of one word', `"${'the '.repeat(255)}"`],
  ['samples in samples', nested(1024, (inner) => `(the OR (sample:99 ${inner}))`)],
  ['samples left out', `sample:100 ${'-sample:98 '.repeat(90)}`],
  ['minima', Array.from({ length: 70 }, () => 'min_likes:1').join(' ')],
  ['areas', Array.from({ length: 28 }, () => 'point_radius:[-105.28 40.02 9mi]').join(' OR ')],
] as const;

/** Compares the index of every engine with the naive evaluator. */
export function searchCases(kind: TestEngine): void {
  describe('the examples', () => {
    const engine = filledEngine(kind, SEARCH_POSTS);
    test.each(SEARCH_CASES)('%s', async (query, ids) => {
      expect(await found(engine(), expressionOf(query))).toEqual([...ids].reverse());
    });

    test.each(EXPENSIVE)('of the most expensive valid queries: %s', async (_name, query) => {
      const expression = expressionOf(query);
      expect(await found(engine(), expression)).toEqual(naive(SEARCH_POSTS, expression));
    });
  });

  describe('generated posts', () => {
    const posts = randomPosts(7, 250);
    const engine = filledEngine(kind, posts);

    test('generated queries find and count the same as the naive evaluator', async () => {
      const random = seeded(11);
      let compared = 0;
      let matched = 0;
      while (compared < rounds(100)) {
        const query = randomQuery(random, posts);
        const expression = expressionIfValid(query);
        if (!expression) continue;
        compared += 1;
        const expected = naive(posts, expression);
        matched += expected.length;
        expect(await found(engine(), expression), query).toEqual(expected);
        if (compared % 10 === 0) expect(await counted(engine(), expression), query).toBe(expected.length);
      }
      expect(matched).toBeGreaterThan(5 * compared);
    }, 120_000);

    test('windows are cut by time, also where ids do not carry it', async () => {
      const random = seeded(13);
      const times = posts.map(madeMs).sort((one, other) => one - other);
      for (let n = 0; n < rounds(25); n++) {
        const [fromMs = 0, beforeMs = 0] = [random(), random()]
          .map((part) => times[Math.floor(part * times.length)] ?? 0)
          .sort((one, other) => one - other);
        const expression = expressionOf('sample:100 -is:retweet');
        const expected = naive(posts, expression).filter((id) => {
          const ms = madeMs({ id });
          return ms >= fromMs && ms < beforeMs;
        });
        expect(await found(engine(), expression, { ids: EVERY_KEY, fromMs, beforeMs })).toEqual(expected);
      }
    });

    test('pages of any size joined equal the whole list', async () => {
      const expression = expressionOf('the OR cat OR min_likes:1');
      const whole = naive(posts, expression);
      for (const size of [7, 50]) {
        const paged: bigint[] = [];
        let upTo: bigint | undefined;
        for (;;) {
          const { ids } = await matches(engine(), expression, ALWAYS, size, upTo);
          paged.push(...ids);
          const last = ids.at(-1);
          if (ids.length < size || last === undefined) break;
          upTo = last - 1n;
        }
        expect(paged).toEqual(whole);
      }
    });
  });

  describe('a change', () => {
    const engine = filledEngine(kind, SEARCH_POSTS);

    test('removes a deleted post and its words at once', async () => {
      const expression = expressionOf('twtr');
      expect(await found(engine(), expression)).toEqual([104n]);
      await engine().tx('delete', async (tx) => {
        const post = await findPost(tx, 104n as PostId);
        if (post) await deletePost(tx, post);
      });
      await indexPending(engine());
      expect(await found(engine(), expression)).toEqual([]);
    });

    test('withholds complete pages while earlier posts await indexing', async () => {
      const selection = { kind: 'only', leaf: { kind: 'facets', anyOf: ['from:1'] } } as const;
      const wanted = { selection, range: EVERY_KEY, limit: 10 };
      const complete = (beforeMs: number) => engine().search.completePage(engine(), wanted, { beforeMs });
      const completeFrom = (fromMs: number) =>
        engine().search.completePage(engine(), wanted, { fromMs, beforeMs: madeMs + 10 });
      const madeMs = Date.UTC(2021, 0, 1);
      const page = await engine().search.page(engine(), selection, EVERY_KEY, 10);
      expect(await complete(madeMs + 1)).toEqual(page);
      await engine().tx('mark', (tx) => markForSearch(tx, [{ id: 1n as PostId, createdAtMs: madeMs }]));
      expect(await complete(madeMs)).toEqual(page);
      expect(await complete(madeMs + 1)).toBeUndefined();
      expect(await completeFrom(madeMs)).toBeUndefined();
      expect(await completeFrom(madeMs + 1)).toEqual(page);
      await indexPending(engine());
      expect(await complete(madeMs + 1)).toEqual(page);
    });

    test('is idempotent for removed and for added documents', async () => {
      const { search } = engine();
      const phrase = { kind: 'phrase', tokens: ['newword'], lastIsPrefix: false } as const;
      const selection = { kind: 'only', leaf: phrase } as const;
      const document = (id: bigint) => ({ id: id as PostId, runs: 'newword', facets: 'from:1' });
      const page = () => search.page(engine(), selection, EVERY_KEY, 10);
      await engine().tx('put', (tx) => search.put(tx, [document(7n), document(8n)]));
      await engine().tx('put', (tx) => search.put(tx, [document(7n), document(9n)]));
      expect(await page()).toEqual([9n, 8n, 7n]);
      await engine().tx('remove', (tx) => search.remove(tx, [8n, 8n, 10n] as PostId[]));
      expect(await page()).toEqual([9n, 7n]);
      expect(await search.page(engine(), selection, { above: 7n, upTo: 9n }, 10)).toEqual([9n]);
      expect(await search.page(engine(), selection, { above: 6n, upTo: 8n }, 10)).toEqual([7n]);
      await engine().tx('clear', (tx) => search.clear(tx));
      expect(await page()).toEqual([]);
    });
  });

  test('maintenance terminates and changes no results', async () => {
    const posts = randomPosts(3, 120);
    const database = await kind.create('schema');
    onTestFinished(() => database.remove());
    const engine = await database.open();
    await storeSearchable(engine, posts);
    while (await indexPending(engine, 5));
    let steps = 0;
    while (await tidyIndex(engine)) steps += 1;
    expect(steps).toBeLessThan(100);
    for (const query of ['the', 'sample:100 -cat', '"coca cola" OR from:alice']) {
      expect(await found(engine, expressionOf(query))).toEqual(naive(posts, expressionOf(query)));
    }
  });
}

function nested(length: number, wrap: (inner: string) => string): string {
  let query = 'a';
  for (let next = wrap(query); next.length <= length; next = wrap(query)) query = next;
  return query;
}

/** Returns an engine that contains the posts, for the tests of the enclosing block. */
function filledEngine(kind: TestEngine, posts: readonly SearchablePost[]): () => Engine {
  let database: TestDatabase;
  let engine: Engine;
  beforeAll(async () => {
    database = await kind.create('schema');
    engine = await database.open();
    await storeSearchable(engine, posts);
    await indexAllPending(engine, () => false);
  });
  afterAll(() => database.remove());
  return () => engine;
}

function expressionOf(query: string): SearchExpression {
  const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'recent' });
  if (!reading.ok) throw new Error(`${query}: ${reading.message}`);
  return reading.expression;
}

function expressionIfValid(query: string): SearchExpression | undefined {
  const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'recent' });
  return reading.ok ? reading.expression : undefined;
}

function naive(posts: readonly SearchablePost[], expression: SearchExpression): bigint[] {
  const ids = posts.filter((post) => naiveMatch(post, expression)).map(({ id }) => id);
  return ids.sort((one, other) => (one < other ? 1 : -1));
}

function madeMs({ id }: Pick<SearchablePost, 'id'>): number {
  return timeOfId(id) ?? UNTIMED_MS;
}

async function matches(
  engine: Engine,
  expression: SearchExpression,
  window: SearchWindow,
  limit: number,
  upTo?: bigint,
) {
  const plan = planSearch(expression, await findQueryNames(engine, expression, undefined));
  return plan === undefined ? { ids: [] } : listMatches(engine, plan, window, limit, upTo);
}

async function found(
  engine: Engine,
  expression: SearchExpression,
  window = ALWAYS,
): Promise<readonly bigint[]> {
  return (await matches(engine, expression, window, 10_000)).ids;
}

async function counted(engine: Engine, expression: SearchExpression): Promise<number> {
  const plan = planSearch(expression, await findQueryNames(engine, expression, undefined));
  return plan === undefined ? 0 : countAll(engine, plan);
}
