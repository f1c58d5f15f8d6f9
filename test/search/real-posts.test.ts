import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { fileSource } from '../../src/archive/source.js';
import type { IndexPosts } from '../../src/archive/write-posts.js';
import { EVERY_KEY } from '../../src/core/page.js';
import type { SearchExpression } from '../../src/query/conditions.js';
import { readQuery } from '../../src/query/read-query.js';
import { indexAllPending, indexImported } from '../../src/services/search/index-posts.js';
import { findQueryNames } from '../../src/services/search/query-names.js';
import { rebuildIndex } from '../../src/services/search/rebuild-index.js';
import { planSearch } from '../../src/services/search/search-plan.js';
import { listMatches } from '../../src/services/search/walk.js';
import type { Engine } from '../../src/database/engine.js';
import { hasTwarcFiles, TWARC_FOLDER, twarcFiles } from '../archive/twarc-files.js';
import { naiveMatch, type SearchablePost } from '../support/naive-search.js';
import { rounds } from '../support/rounds.js';
import { seeded } from '../support/random-search.js';
import { storedSearchable } from '../support/stored-searchable.js';
import { openTestEngine } from '../support/test-database.js';

const title = hasTwarcFiles
  ? 'search in real posts'
  : `search in real posts: skipped, there is no ${TWARC_FOLDER}`;

describe.skipIf(!hasTwarcFiles)(title, () => {
  let engine: Engine;
  let posts: SearchablePost[];

  beforeAll(async () => {
    engine = await openTestEngine();
    const parts = {
      engine,
      indexPosts: ((tx, written, superseded) =>
        indexImported(tx, engine, written, superseded)) satisfies IndexPosts,
    };
    await importTwarc(parts, await Promise.all(twarcFiles().map((name) => fileSource(TWARC_FOLDER + name))));
    await indexAllPending(engine, () => false);
    posts = await storedSearchable(engine);
  }, 120_000);

  afterAll(() => engine?.close());

  it('finds the same as the naive evaluator for queries of their words, tags and people', async () => {
    await compare(engine, posts, rounds(120));
  }, 120_000);

  it('finds the same after a complete rebuild', async () => {
    expect((await rebuildIndex(engine, { clear: true })).posts).toBeGreaterThan(1_000);
    await compare(engine, posts, rounds(30));
  }, 120_000);
});

async function compare(engine: Engine, posts: readonly SearchablePost[], queries: number): Promise<void> {
  const random = seeded(3);
  let matched = 0;
  for (let compared = 0; compared < queries; compared++) {
    const query = queryAbout(random, posts);
    const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'recent' });
    if (!reading.ok) continue;
    const expected = posts
      .filter((post) => naiveMatch(post, reading.expression))
      .map(({ id }) => id)
      .sort((one, other) => (one < other ? 1 : -1));
    matched += expected.length;
    expect(await found(engine, reading.expression), query).toEqual(expected);
  }
  expect(matched).toBeGreaterThan(queries);
}

async function found(engine: Engine, expression: SearchExpression): Promise<readonly bigint[]> {
  const plan = planSearch(expression, await findQueryNames(engine, expression, undefined));
  const window = { ids: EVERY_KEY, beforeMs: Date.UTC(2100, 0, 1) };
  return plan === undefined ? [] : (await listMatches(engine, plan, window, 100_000)).ids;
}

/** Returns a query of one to three terms of a post. */
function queryAbout(random: () => number, posts: readonly SearchablePost[]): string {
  const terms = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const all = termsOf(pick(random, posts));
    return pick(random, all) ?? 'a';
  });
  return terms.join(pickOf(random, [' ', ' OR ', ' -']));
}

function termsOf(post: SearchablePost | undefined): string[] {
  if (!post) return [];
  const words = post.text.split(/\s+/).filter((word) => /^[^"\\'():]+$/.test(word));
  const pairs = words.flatMap((word, n) => (words[n + 1] === undefined ? [] : [`"${word} ${words[n + 1]}"`]));
  return [
    ...words.map((word) => `"${word}"`),
    ...pairs,
    ...post.hashtags.map((tag) => `#${tag}`),
    ...post.mentions.map((username) => `@${username}`),
    ...post.urls.map(({ expandedUrl, url }) => `url:"${expandedUrl ?? url}"`),
    ...post.contexts.map(({ domainId, entityId }) => `context:${domainId}.${entityId}`),
    ...(post.annotations.length > 0 ? [`entity:"${post.annotations[0]?.replaceAll('"', '')}"`] : []),
    ...(post.place ? [`place:"${post.place.fullName}"`] : []),
    `from:${post.author.id}`,
    `from:${post.author.username}`,
    `conversation_id:${post.conversationId}`,
    `sample:50 lang:${post.lang}`,
    'sample:30 has:links',
    'sample:30 is:reply',
    'sample:30 is:quote',
    'sample:60 is:retweet',
    'sample:30 has:media -has:images',
  ];
}

function pick<T>(random: () => number, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

function pickOf(random: () => number, from: readonly string[]): string {
  return pick(random, from) ?? '';
}
