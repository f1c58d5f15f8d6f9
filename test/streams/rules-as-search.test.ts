import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListId, PostId } from '../../src/core/ids.js';
import type { StreamRule } from '../../src/core/stream-rule.js';
import type { Engine } from '../../src/database/engine.js';
import { readQuery, readRule } from '../../src/query/read-query.js';
import { findQueryNames } from '../../src/services/search/query-names.js';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { planSearch } from '../../src/services/search/search-plan.js';
import { listMatches } from '../../src/services/search/walk.js';
import { RuleIndex } from '../../src/services/streams/matching/rule-index.js';
import { loadRulePosts } from '../../src/services/streams/matching/rule-post.js';
import { ALWAYS } from '../support/count-all.js';
import type { SearchablePost } from '../support/naive-search.js';
import { randomPosts, randomQuery, seeded } from '../support/random-search.js';
import { rounds } from '../support/rounds.js';
import { storeSearchable } from '../support/store-searchable.js';
import { openTestEngine } from '../support/test-database.js';

/**
 * A rule matches a post exactly if search finds the post by the same query, on every engine
 * (docs/api/streams.md#matching). The documented differences are excluded: accents are removed from posts and queries,
 * and posts that quote are left out.
 */

const MAX_LENGTH = 1_024;

/** Removes accents from all strings of a value. */
function plain<T>(value: T): T {
  if (typeof value === 'string') {
    return value.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)])) as T;
}

const posts: readonly SearchablePost[] = randomPosts(41, 150).map(plain);
const quoting = new Set(posts.filter(({ quotedPostId }) => quotedPostId !== undefined).map(({ id }) => id));
const compared = posts.filter(
  ({ id, reposted }) => !quoting.has(id) && !(reposted !== undefined && quoting.has(reposted.postId)),
);

/** Returns random queries that are valid both for search and as rules. */
function commonQueries(count: number): string[] {
  const random = seeded(7);
  const queries = new Set<string>();
  while (queries.size < count) {
    const query = plain(randomQuery(random, posts));
    const asSearch = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'recent' });
    if (asSearch.ok && readRule(query, MAX_LENGTH).ok) queries.add(query);
  }
  return [...queries];
}

let engine: Engine;
beforeAll(async () => {
  engine = await openTestEngine();
  await storeSearchable(engine, posts);
  await indexAllPending(engine, () => false);
});
afterAll(() => engine.close());

async function search(query: string): Promise<ReadonlySet<bigint>> {
  const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'recent' });
  if (!reading.ok) throw new Error(reading.message);
  const names = await findQueryNames(engine, reading.expression, undefined);
  const plan = planSearch(reading.expression, names);
  return new Set(plan === undefined ? [] : (await listMatches(engine, plan, ALWAYS, 1_000)).ids);
}

const ruleOf = (value: string, n: number): StreamRule => ({
  id: BigInt(n + 1) as StreamRule['id'],
  appId: 1n as StreamRule['appId'],
  value,
  createdAtMs: 0,
});

test('a rule matches a post exactly if search finds it by the same query', async () => {
  const queries = commonQueries(rounds(600));
  const index = new RuleIndex();
  queries.forEach((query, n) => index.add(ruleOf(query, n)));
  const ids = compared.map(({ id }) => id as PostId);
  const rulePosts = await loadRulePosts(engine, ids, index.listIds());
  expect(rulePosts.map(({ id }) => id)).toEqual(ids);
  const matching = new Map(
    rulePosts.map((post) => [post.id as bigint, new Set(index.match(post).map(({ value }) => value))]),
  );
  let matches = 0;
  for (const query of queries) {
    const found = await search(query);
    const asSearch = ids.filter((id) => found.has(id));
    expect(
      ids.filter((id) => matching.get(id)?.has(query)),
      query,
    ).toEqual(asSearch);
    matches += asSearch.length;
  }
  expect(matches).toBeGreaterThan(queries.length);
}, 120_000);

test('rules can be added and removed at any time', async () => {
  const queries = commonQueries(300);
  const rules = queries.map(ruleOf);
  const rulePosts = await loadRulePosts(
    engine,
    compared.map(({ id }) => id as PostId),
    [70n, 71n, 72n] as ListId[],
  );
  const [changed, fresh] = [new RuleIndex(), new RuleIndex()];
  const random = seeded(9);
  const present = new Set<StreamRule>();
  for (let step = 0; step < 2_000; step++) {
    const rule = rules[Math.floor(random() * rules.length)];
    if (rule === undefined) continue;
    if (random() < 0.5) {
      changed.add(rule);
      present.add(rule);
    } else {
      changed.remove(rule);
      present.delete(rule);
    }
  }
  for (const rule of present) fresh.add(rule);
  const namesOf = (index: RuleIndex) =>
    rulePosts.map((post) =>
      index
        .match(post)
        .map(({ id }) => id)
        .sort(),
    );
  expect(namesOf(changed)).toEqual(namesOf(fresh));
  expect(changed.listIds().sort()).toEqual(fresh.listIds().sort());
  for (const rule of present) changed.remove(rule);
  expect(namesOf(changed)).toEqual(rulePosts.map(() => []));
  expect(changed.listIds()).toEqual([]);
});
