import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQuery } from '../../src/query/read-query.js';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { planSearch, type SearchPlan } from '../../src/services/search/search-plan.js';
import { listMatches } from '../../src/services/search/walk.js';
import { ALWAYS, countAll } from '../support/count-all.js';
import type { Engine } from '../../src/database/engine.js';
import type { SearchSelection } from '../../src/database/search.js';
import { naiveMatch, type SearchablePost } from '../support/naive-search.js';
import { randomPosts } from '../support/random-search.js';
import { storeSearchable } from '../support/store-searchable.js';
import { openTestEngine } from '../support/test-database.js';

/** Queries with more terms than the index accepts at once: full Lists, samples and phrases, repeated. */

const posts = randomPosts(17, 80);

/** The number of members per List without posts. */
const SILENT_MEMBERS = 4_990;
const authorsIn = (listId: bigint): bigint[] =>
  [...new Set(posts.map(({ author }) => author))]
    .filter(({ listIds }) => listIds.includes(listId))
    .map(({ id }) => id);
const members = new Map(
  [70n, 71n].map((listId) => {
    const silent = Array.from({ length: SILENT_MEMBERS }, (_, n) => 10n ** 18n + BigInt(n));
    return [listId, [...authorsIn(listId), ...silent].map((id) => `from:${id}`)] as const;
  }),
);

/** Repeats a term as often as fits into 1,024 characters. */
function repeated(term: string, between: string, before = ''): string {
  const times = Math.floor((1024 - before.length) / (term.length + between.length));
  return before + Array.from({ length: times }, () => term).join(between);
}

/** Returns the texts of posts as far as they fit. */
function texts(between: string, before = ''): string {
  const phrases = posts.map(({ text }) => `"${text}"`);
  const fitting = phrases.filter((_, n) => phrases.slice(0, n + 1).join(between).length < 1000);
  return before + fitting.join(between);
}

const QUERIES: readonly (readonly [name: string, query: string])[] = [
  ['a List', 'list:70'],
  ['either List', 'list:70 OR list:71'],
  ['both Lists', 'list:70 list:71'],
  ['a repeated List', repeated('list:70', ' ')],
  ['a repeated List with OR', repeated('list:71', ' OR ')],
  ['words in a List', repeated('(list:70 the)', ' OR ')],
  ['a List left out again and again', repeated('-list:70', ' ', 'the ')],
  ['samples of samples', repeated('sample:99', ' ')],
  ['a sample or itself', repeated('sample:60', ' OR ')],
  ['samples left out', repeated('-sample:50', ' ', 'sample:100 ')],
  ['a minimum again and again', repeated('min_likes:1', ' ')],
  ['a minimum or itself', repeated('min_likes:2', ' OR ')],
  ['a minimum left out', 'the -min_likes:1'],
  ['Lists or a minimum', 'list:70 OR list:71 OR min_likes:3'],
  ['what posts say', texts(' OR ')],
  ['what posts say, left out', texts(' -', 'the -')],
  ['a phrase again and again', repeated('"the cat on"', ' OR ')],
  ['a word in one phrase of a thousand', '👍'.repeat(1000)],
  ['single characters', `${repeated('京', ' OR ')}`],
  ['single characters left out', repeated('-東', ' ', 'the ')],
  ['phrases that end in a single character', repeated('"cat 東"', ' OR ')],
];

/** Queries so large that they are checked per candidate. */
const CHECKED = QUERIES.slice(-7).map(([name, query]) => [name, query] as const);

function expressionOf(query: string) {
  const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'all' });
  if (!reading.ok) throw new Error(`${query}: ${reading.message}`);
  return reading.expression;
}

function planOf(query: string): SearchPlan {
  const plan = planSearch(expressionOf(query), {
    userKey: (user) => (user.by === 'id' ? user.id : undefined),
    members: (listId) => members.get(listId) ?? [],
  });
  if (!plan) throw new Error(`${query} matches no user`);
  return plan;
}

function facetsIn(selection: SearchSelection): number {
  switch (selection.kind) {
    case 'only':
      return selection.leaf.kind === 'facets' ? selection.leaf.anyOf.length : 0;
    case 'all':
    case 'any':
      return selection.of.reduce((sum, part) => sum + facetsIn(part), 0);
    case 'except':
      return facetsIn(selection.from) + facetsIn(selection.without);
  }
}

describe('queries with very many terms', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openTestEngine();
    await storeSearchable(engine, posts);
    await indexAllPending(engine, () => false);
  });
  afterAll(() => engine.close());

  it.each(QUERIES)(
    '%s: uses at most 6,100 facets, and finds and counts the same as the naive evaluator',
    async (_, query) => {
      const plan = planOf(query);
      expect(facetsIn(plan.selection)).toBeLessThanOrEqual(6_100);
      const matching = (post: SearchablePost): boolean => naiveMatch(post, expressionOf(query));
      const expected = posts
        .filter(matching)
        .map(({ id }) => id)
        .sort((one, other) => (one < other ? 1 : -1));
      expect((await listMatches(engine, plan, ALWAYS, 1_000)).ids).toEqual(expected);
      expect(await countAll(engine, plan)).toBe(expected.length);
    },
  );

  it.each(CHECKED)('%s: the index gets a part of the words only', (_, query) => {
    expect(planOf(query).checked).toBeDefined();
  });

  it('ordinary phrases are passed to the index completely', () => {
    expect(planOf(repeated('"climate change is real"', ' OR ')).checked).toBeUndefined();
    expect(planOf('東 OR 京 OR 都').checked).toBeUndefined();
  });

  it('a scan of many candidates yields to other work', async () => {
    let turns = 0;
    setImmediate(() => (turns += 1));
    const { ids } = await listMatches(engine, planOf('min_likes:1000'), ALWAYS, 10);
    expect([ids, turns]).toEqual([[], 1]);
  });

  it('a full List is looked up in the index, as its members are few', () => {
    expect(planOf('list:70 the').checked).toBeUndefined();
  });
});
