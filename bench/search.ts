/**
 * What search costs: pages of 100 from an index of 10,000 posts beside one of 1,000,000, counts by hour over every post,
 * indexing, and the size of the index, on SQLite and on PostgreSQL. `npm run bench:search -- --help`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readQuery } from '../src/query/read-query.js';
import { EVERY_KEY } from '../src/core/page.js';
import { documentOf } from '../src/services/search/document.js';
import { tidyIndex } from '../src/services/search/index-posts.js';
import { planSearch, type SearchPlan } from '../src/services/search/search-plan.js';
import { listMatches } from '../src/services/search/walk.js';
import { asNumber } from '../src/storage/decode.js';
import type { Engine } from '../src/storage/engine.js';
import { openEngine } from '../src/storage/open-engine.js';
import { rawSql } from '../src/storage/sql.js';
import { administer, createDatabase, databaseUrl, startPostgres } from '../test/support/postgres.js';
import { reportCounts } from './search-counts.js';
import { madeMs, searchPosts } from './search-posts.js';

const USAGE = `Usage: npm run bench:search -- [options]
  --small N       posts in the small index (10000)
  --large N       posts in the large one (1000000)
  --times N       how often each page is asked for (200)
  --engines NAMES of sqlite, postgres, with a comma between (both)
  --dir FOLDER    where the databases of SQLite go (the system's folder for temporary files)`;

const PAGE = 100;
const BATCH = 2_000;

/** A page may take so long (ms), and so many times what it takes of the small index (issue 5). */
const TARGET_MS = 5;
const TARGET_GROWTH = 1.3;

/** `deep`: the page begins where nine tenths of the posts are newer. */
const CASES: readonly { readonly title: string; readonly query: string; readonly deep?: boolean }[] = [
  { title: 'common word', query: 'common' },
  { title: 'rare word', query: 'rare' },
  { title: 'common AND rare', query: 'common rare' },
  { title: 'phrase', query: '"w3 w5"' },
  { title: 'from: AND common', query: 'from:1003 common' },
  { title: 'OR of ten', query: Array.from({ length: 10 }, (_, n) => `w${20 + 7 * n}`).join(' OR ') },
  { title: 'negations', query: 'common -w0 -has:links -is:reply' },
  { title: 'common word, deep', query: 'common', deep: true },
  {
    title: 'OR of ten, deep',
    query: Array.from({ length: 10 }, (_, n) => `w${20 + 7 * n}`).join(' OR '),
    deep: true,
  },
];

interface Site {
  readonly posts: number;
  readonly engine: Engine;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      small: { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000000' },
      times: { type: 'string', default: '200' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const sizes = [Number(values.small), Number(values.large)];
  const folder = await mkdtemp(join(values.dir, 'pipit-search-'));
  try {
    for (const name of values.engines.split(',')) {
      await (name === 'postgres'
        ? onPostgres(sizes, Number(values.times))
        : measure(
            'sqlite',
            sizes,
            Number(values.times),
            async (posts) => `sqlite:${join(folder, `${posts}.db`)}`,
          ));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function onPostgres(sizes: readonly number[], times: number): Promise<void> {
  const server = await startPostgres();
  try {
    const admin = server.url('postgres');
    await measure(
      'postgres',
      sizes,
      times,
      async () => databaseUrl(admin, await createDatabase(admin)),
      (url) => administer(url, 'VACUUM ANALYZE'),
    );
  } finally {
    await server.remove();
  }
}

async function measure(
  name: string,
  sizes: readonly number[],
  times: number,
  newDatabase: (posts: number) => Promise<string>,
  settle: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const sites: Site[] = [];
  try {
    for (const posts of sizes) {
      const url = await newDatabase(posts);
      const engine = await openEngine(url, { durability: 'relaxed' });
      sites.push({ posts, engine });
      await fill(name, engine, posts);
      // As the server does in quiet moments.
      while (await tidyIndex(engine));
      await settle(url);
    }
    for (const { title, query, deep } of CASES) {
      const [small = [], large = []] = await turns(sites, times, (site) => page(site, planOf(query), deep));
      const [p50, before] = [percentile(large, 0.5), percentile(small, 0.5)];
      const growth = p50 / before;
      console.log(
        `${name}, ${title}: p50 ${p50.toFixed(2)} ms (${verdict(p50 <= TARGET_MS)}), ` +
          `p99 ${percentile(large, 0.99).toFixed(2)} ms, ${growth.toFixed(2)} times ${before.toFixed(2)} ms ` +
          `(${verdict(growth <= TARGET_GROWTH)})`,
      );
    }
    for (const { posts, engine } of sites) {
      await reportCounts(name, engine, planOf('every'), { fromMs: madeMs(0), beforeMs: madeMs(posts) });
    }
  } finally {
    for (const { engine } of sites) await engine.close();
  }
}

function verdict(isReached: boolean): string {
  return isReached ? 'reached' : 'MISSED';
}

async function fill(name: string, engine: Engine, posts: number): Promise<void> {
  const source = searchPosts();
  const before = await bytesOf(name, engine);
  let spentMs = 0;
  for (let first = 0; first < posts; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, posts - first) }, (_, n) => source.next(first + n));
    const startMs = performance.now();
    await engine.tx('index', (tx) =>
      engine.search.put(
        tx,
        batch.map((post) => documentOf({ post, isAuthorVerified: false, mediaTypes: [] })),
      ),
    );
    spentMs += performance.now() - startMs;
  }
  const bytes = (await bytesOf(name, engine)) - before;
  console.log(
    `${name}, ${posts} posts: ${((1000 * posts) / spentMs).toFixed(0)} indexed/s, ${(bytes / posts).toFixed(0)} bytes a post`,
  );
}

const SIZE_OF: Readonly<Record<string, string>> = {
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  postgres: 'SELECT pg_database_size(current_database()) AS bytes',
};

async function bytesOf(name: string, engine: Engine): Promise<number> {
  return asNumber((await engine.get(rawSql(SIZE_OF[name] ?? '')))?.bytes);
}

async function page({ posts, engine }: Site, plan: SearchPlan, deep = false): Promise<void> {
  const beforeMs = madeMs(deep ? Math.floor(posts / 10) : posts);
  await listMatches(engine, plan, { ids: EVERY_KEY, beforeMs }, PAGE + 1);
}

/** Milliseconds of each run, a list a site; small and large by turns. */
async function turns(
  sites: readonly Site[],
  times: number,
  run: (site: Site) => Promise<void>,
): Promise<number[][]> {
  const results = sites.map((): number[] => []);
  for (let turn = -5; turn < times; turn += 1) {
    for (const [index, site] of sites.entries()) {
      const startMs = performance.now();
      await run(site);
      if (turn >= 0) results[index]?.push(performance.now() - startMs);
    }
  }
  return results;
}

function planOf(query: string): SearchPlan {
  const reading = readQuery(query, { level: 'elevated', track: 'academic_research', product: 'all' });
  if (!reading.ok) throw new Error(reading.message);
  const plan = planSearch(reading.expression, {
    userId: (user) => (user.by === 'id' ? user.id : undefined),
    members: () => [],
  });
  if (!plan) throw new Error(`${query} names nobody`);
  return plan;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}

await main();
