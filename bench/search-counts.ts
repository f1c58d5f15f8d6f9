import { performance } from 'node:perf_hooks';
import { edgesOf, lastPageOf, type Granularity, type Period } from '../src/services/search/count-periods.js';
import { countByPeriod } from '../src/services/search/count-posts.js';
import type { SearchPlan } from '../src/services/search/search-plan.js';
import { EVERY_KEY } from '../src/core/page.js';
import type { Engine } from '../src/database/engine.js';
import { NO_IDS } from '../src/database/search-untimed.js';
import { median } from './measure.js';
import { madeMs } from './search-posts.js';
import type { Site } from './search-sites.js';

/** The longest time for a million matches, and the longest pause for others meanwhile (docs/performance.md). */
const TARGET_MS = 500;
const TARGET_PAUSE_MS = 50;
const TIMES = 5;

interface Counted {
  readonly ms: number;
  /** The longest pause of the event loop. */
  readonly pauseMs: number;
  readonly total: number;
}

/**
 * Prints the time to count all posts of a site by hour, those of the last page by minute, and a rare word, with the
 * pause for other requests: medians of some runs after a warm-up.
 */
export async function reportCounts(site: Site): Promise<void> {
  const span = { fromMs: madeMs(0), beforeMs: madeMs(site.posts) };
  await reportCount(site, 'every', 'hour', span);
  await reportCount(site, 'every', 'minute', lastPageOf(span));
  await reportCount(site, 'rare', 'hour', span);
}

async function reportCount(
  { name, engine }: Site,
  word: string,
  granularity: Granularity,
  span: Period,
): Promise<void> {
  const edges = edgesOf(span, granularity);
  const plan = planOf(word);
  const { total } = await countOnce(engine, plan, span, edges);
  const runs: Counted[] = [];
  for (let run = 0; run < TIMES; run += 1) runs.push(await countOnce(engine, plan, span, edges));
  const ms = median(runs.map((run) => run.ms));
  const pauseMs = median(runs.map((run) => run.pauseMs));
  console.log(line(name, granularity, { ms, pauseMs, total }));
}

function planOf(word: string): SearchPlan {
  const leaf = { kind: 'phrase', tokens: [word], lastIsPrefix: false } as const;
  return { selection: { kind: 'only', leaf }, untimed: NO_IDS };
}

function line(name: string, granularity: Granularity, { ms, pauseMs, total }: Counted): string {
  const target = (TARGET_MS * Math.max(total, 100_000)) / 1_000_000;
  return (
    `${name}, counts by the ${granularity} over ${total} matches: ${ms.toFixed(0)} ms ` +
    `(${ms <= target ? 'reached' : 'MISSED'}), others wait ${pauseMs.toFixed(1)} ms at most ` +
    `(${pauseMs <= TARGET_PAUSE_MS ? 'reached' : 'MISSED'})`
  );
}

async function countOnce(
  engine: Engine,
  plan: SearchPlan,
  span: Period,
  edges: readonly number[],
): Promise<Counted> {
  let [last, pauseMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    [pauseMs, last] = [Math.max(pauseMs, now - last), now];
  }, 1);
  const startMs = performance.now();
  const counts = await countByPeriod(engine, plan, { ids: EVERY_KEY, ...span }, edges);
  const ms = performance.now() - startMs;
  clearInterval(timer);
  return { ms, pauseMs, total: counts.reduce((sum, count) => sum + count, 0) };
}
