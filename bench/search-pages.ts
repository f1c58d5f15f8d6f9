import type { Principal } from '../src/core/access.js';
import { createSearchService, type SearchService } from '../src/services/search/search.js';
import { Connection } from './connection.js';
import { getRequest } from './requests.js';
import { FIRST_AUTHOR_ID, madeMs } from './search-posts.js';
import type { Site } from './search-sites.js';
import { BEARER } from './world.js';

const PAGE = 100;
const WARM_UP = 10;

/** The longest time of a page in ms, and its highest ratio to the small index and to SQLite. */
const TARGET_MS = 5;
const TARGET_GROWTH = 1.3;
const TARGET_BESIDE_SQLITE = 3;

const TEN_WORDS = Array.from({ length: 10 }, (_, n) => `w${20 + 7 * n}`).join(' OR ');
const OWN = `from:${FIRST_AUTHOR_ID}`;

/** `deep`: nine tenths of the posts are newer than the window. */
const CASES: readonly { readonly title: string; readonly query: string; readonly deep?: boolean }[] = [
  { title: 'common word', query: 'common' },
  { title: 'rare word', query: 'rare' },
  { title: 'no such word', query: 'nowhere' },
  { title: 'common AND rare', query: 'common rare' },
  { title: 'phrase', query: '"w1 w2"' },
  { title: 'from: AND common', query: `${OWN} common` },
  { title: 'OR of ten', query: TEN_WORDS },
  { title: 'negations', query: 'common -w0 -has:links -is:reply' },
  { title: 'common word, deep', query: 'common', deep: true },
  { title: 'OR of ten, deep', query: TEN_WORDS, deep: true },
  { title: 'from: AND common, deep', query: `${OWN} common`, deep: true },
];

/** Times of a page in ms, ascending. */
interface Times {
  readonly inProcess: readonly number[];
  readonly overHttp: readonly number[];
}

interface Pages {
  readonly site: Site;
  readonly search: SearchService;
  readonly connection: Connection;
}

/** Measures pages of 100 on all sites alternately, in process and over HTTP, and prints their times. */
export async function reportPages(sites: readonly Site[], times: number): Promise<void> {
  const all = await Promise.all(sites.map(pagesOf));
  for (const { title, query, deep = false } of CASES) {
    const taken = await byTurns(all, query, deep, times);
    const sqlite = timesOf(taken, 'sqlite');
    for (const name of new Set(sites.map((site) => site.name))) {
      const { small, large } = timesOf(taken, name);
      if (small && large)
        console.log(`${name}, ${title}: ${line(small, large)}${beside(name, large, sqlite.large)}`);
    }
  }
  for (const { connection } of all) connection.close();
}

async function pagesOf(site: Site): Promise<Pages> {
  const { engine, posts, server } = site;
  const clock = (): number => madeMs(posts) + 60_000;
  return {
    site,
    search: createSearchService({ engine, clock }),
    connection: await Connection.open(server.port),
  };
}

async function byTurns(
  all: readonly Pages[],
  query: string,
  deep: boolean,
  times: number,
): Promise<Map<Site, Times>> {
  const inProcess = all.map((): number[] => []);
  const overHttp = all.map((): number[] => []);
  for (let turn = -WARM_UP; turn < times; turn += 1) {
    for (const [index, pages] of all.entries()) {
      const [one, other] = [
        await timed(() => askService(pages, query, deep)),
        await timed(() => askServer(pages, query, deep)),
      ];
      if (turn < 0) continue;
      inProcess[index]?.push(one);
      overHttp[index]?.push(other);
    }
  }
  const ascending = (list: number[] = []): number[] => list.sort((one, other) => one - other);
  return new Map(
    all.map(({ site }, index) => [
      site,
      { inProcess: ascending(inProcess[index]), overHttp: ascending(overHttp[index]) },
    ]),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** No other members are read. */
const RESEARCHER = {
  context: 'app',
  app: { accessLevel: 'elevated', track: 'academic_research' },
} as unknown as Principal;

function askService({ search, site }: Pages, query: string, deep: boolean): Promise<unknown> {
  return search({
    product: 'all',
    query,
    principal: RESEARCHER,
    bounds: boundsOf(site, deep),
    order: 'recency',
    page: { limit: PAGE },
  });
}

function askServer({ connection, site }: Pages, query: string, deep: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send(searchRequest(site, query, PAGE, deep), (status) =>
      status === 200 ? resolve() : reject(new Error(`${query}: ${status}`)),
    );
  });
}

/** Returns the bytes of a request for a page of a site’s posts. */
function searchRequest(site: Site, query: string, size: number, deep = false): string {
  const { startTimeMs, endTimeMs } = boundsOf(site, deep);
  const [start, end] = [startTimeMs, endTimeMs].map((timeMs) => new Date(timeMs).toISOString());
  const path =
    `/2/tweets/search/all?query=${encodeURIComponent(query)}&max_results=${size}` +
    `&start_time=${start}&end_time=${end}`;
  return getRequest(path, 'bench.example', `Bearer ${BEARER}`);
}

function boundsOf({ posts }: Site, deep: boolean): { startTimeMs: number; endTimeMs: number } {
  return { startTimeMs: madeMs(0), endTimeMs: madeMs(deep ? Math.floor(posts / 10) : posts) };
}

interface Sizes {
  readonly small?: Times;
  readonly large?: Times;
}

/** Returns the times of the smallest and the largest site of an engine. */
function timesOf(taken: ReadonlyMap<Site, Times>, name: string): Sizes {
  const own = [...taken]
    .filter(([site]) => site.name === name)
    .sort(([one], [other]) => one.posts - other.posts);
  return { small: own[0]?.[1], large: own.at(-1)?.[1] };
}

function line(small: Times, large: Times): string {
  return [
    `in process ${figures(small.inProcess, large.inProcess)}`,
    `over HTTP ${figures(small.overHttp, large.overHttp)} (${verdict(
      growth(small.overHttp, large.overHttp) <= TARGET_GROWTH,
    )})`,
  ].join('; ');
}

function figures(small: readonly number[], large: readonly number[]): string {
  const p50 = quantile(large, 0.5);
  return (
    `p50 ${p50.toFixed(2)} ms (${verdict(p50 <= TARGET_MS)}), p99 ${quantile(large, 0.99).toFixed(2)} ms, ` +
    `${growth(small, large).toFixed(2)} times ${quantile(small, 0.5).toFixed(2)} ms`
  );
}

function beside(name: string, times: Times, sqlite: Times | undefined): string {
  if (name === 'sqlite' || !sqlite) return '';
  const ratio = quantile(times.overHttp, 0.5) / quantile(sqlite.overHttp, 0.5);
  return `, ${ratio.toFixed(2)} times SQLite's (${verdict(ratio <= TARGET_BESIDE_SQLITE)})`;
}

function growth(small: readonly number[], large: readonly number[]): number {
  return quantile(large, 0.5) / quantile(small, 0.5);
}

function verdict(isReached: boolean): string {
  return isReached ? 'reached' : 'MISSED';
}

function quantile(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(part * ascending.length))] ?? NaN;
}
