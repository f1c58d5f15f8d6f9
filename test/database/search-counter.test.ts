import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostId } from '../../src/core/ids.js';
import { EVERY_KEY } from '../../src/core/page.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import type { Engine } from '../../src/database/engine.js';
import type { SearchSelection } from '../../src/database/search.js';
import { memory, testEngines, type TestDatabase } from './engines.js';

const HOUR = 3_600_000;
const START = Date.UTC(2021, 0, 1);
const POSTS = 12_000;
const RARE_EACH = 200;
const timeOf = (n: number): number => START + n * 60_000;

function facets(...anyOf: string[]): SearchSelection {
  return { kind: 'only', leaf: { kind: 'facets', anyOf } };
}

describe.each([...new Set([...testEngines(), memory])])('counts by time on $name', (kind) => {
  let database: TestDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await kind.create('schema');
    engine = await database.open();
    const documents = Array.from({ length: POSTS }, (_, n) => ({
      id: firstIdAt(timeOf(n)) as PostId,
      runs: 'word',
      facets: `lang:en third:${n % 3}${n % RARE_EACH === 7 ? ' rare:1' : ''}`,
    }));
    await engine.tx('put', (tx) => engine.search.put(tx, documents));
  });
  afterAll(() => database.remove());

  test('each match is counted in its period; the first edge is inclusive and the last exclusive', async () => {
    const edges = [
      timeOf(60),
      timeOf(60) + HOUR,
      timeOf(60) + 3 * HOUR,
      timeOf(POSTS) + HOUR,
      timeOf(POSTS) + 2 * HOUR,
    ];
    const counts = (selection: SearchSelection) =>
      engine.searchCounter.countByTime(selection, EVERY_KEY, edges);
    expect(await counts(facets('lang:en'))).toEqual([60, 120, POSTS - 240, 0]);
    expect(await counts(facets('third:0', 'third:1'))).toEqual([40, 80, (POSTS - 240) / 1.5, 0]);
    expect(await counts(facets('lang:de'))).toEqual([0, 0, 0, 0]);
  });

  test.each([
    ['a frequent facet', 'lang:en', 1],
    ['a rare facet', 'rare:1', RARE_EACH],
  ])('%s has the same counts with long and with short periods', async (_what, facet, each) => {
    for (const lengthMs of [HOUR / 60, HOUR, 50 * HOUR]) {
      const [first, last] = [timeOf(90), timeOf(90) + 100 * HOUR];
      const edges = Array.from({ length: 1 + (last - first) / lengthMs }, (_, n) => first + n * lengthMs);
      const expected = edges.slice(1).map(() => 0);
      for (let n = 0; n < POSTS; n += 1) {
        const period = Math.floor((timeOf(n) - first) / lengthMs);
        const isCounted = (each === 1 || n % each === 7) && period in expected;
        if (isCounted) expected[period] = (expected[period] ?? 0) + 1;
      }
      const counts = await engine.searchCounter.countByTime(facets(facet), EVERY_KEY, edges);
      expect(counts).toEqual(expected);
    }
  });

  test('ids bound the counts, also within a period', async () => {
    const range = { above: firstIdAt(timeOf(10)), upTo: firstIdAt(timeOf(20)) };
    const edges = [timeOf(0), timeOf(15), timeOf(1_000)];
    expect(await engine.searchCounter.countByTime(facets('lang:en'), range, edges)).toEqual([4, 6]);
  });

  test('concurrent counts are separate, and changes are visible at once', async () => {
    const edges = [timeOf(0), timeOf(POSTS)];
    const all = Array.from({ length: 6 }, (_, n) =>
      engine.searchCounter.countByTime(facets(`third:${n % 3}`, `third:${(n + 1) % 3}`), EVERY_KEY, edges),
    );
    expect(await Promise.all(all)).toEqual(Array(6).fill([(POSTS * 2) / 3]));
    const id = firstIdAt(timeOf(7)) as PostId;
    await engine.tx('remove', (tx) => engine.search.remove(tx, [id]));
    expect(await engine.searchCounter.countByTime(facets('lang:en'), EVERY_KEY, edges)).toEqual([POSTS - 1]);
    const document = { id, runs: '', facets: 'lang:en third:1 rare:1' };
    await engine.tx('put', (tx) => engine.search.put(tx, [document]));
    expect(await engine.searchCounter.countByTime(facets('lang:en'), EVERY_KEY, edges)).toEqual([POSTS]);
  });

  test('counting inside a transaction throws, since it would not see its writes', async () => {
    const counting = engine.tx('count', () =>
      engine.searchCounter.countByTime(facets('lang:en'), EVERY_KEY, [timeOf(0), timeOf(1)]),
    );
    await expect(counting).rejects.toThrow('inside a transaction');
  });
});
