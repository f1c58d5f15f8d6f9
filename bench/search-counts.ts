import { performance } from 'node:perf_hooks';
import { edgesOf, lastPageOf, type Granularity, type Period } from '../src/services/search/count-periods.js';
import { countByPeriod } from '../src/services/search/count-matches.js';
import type { SearchPlan } from '../src/services/search/search-plan.js';
import { EVERY_KEY } from '../src/core/page.js';
import type { Engine } from '../src/storage/engine.js';
import { median } from './measure.js';

/** A million matches may take so long, and others may wait so long meanwhile (design section 7). */
const TARGET_MS = 500;
const TARGET_PAUSE_MS = 50;
const TIMES = 5;

interface Counted {
  readonly ms: number;
  /** The longest time for which the event loop served nobody. */
  readonly pauseMs: number;
  readonly total: number;
}

/**
 * Prints what counting all matches of a span takes, hour by hour, and those of its last page minute by minute, and how
 * long others wait: medians of some runs after one that warms up.
 */
export async function reportCounts(
  name: string,
  engine: Engine,
  plan: SearchPlan,
  span: Period,
): Promise<void> {
  for (const granularity of ['hour', 'minute'] as const) {
    const page = granularity === 'minute' ? lastPageOf(span) : span;
    const edges = edgesOf(page, granularity);
    const { total } = await countOnce(engine, plan, page, edges);
    const runs: Counted[] = [];
    for (let run = 0; run < TIMES; run += 1) runs.push(await countOnce(engine, plan, page, edges));
    const ms = median(runs.map((run) => run.ms));
    const pauseMs = median(runs.map((run) => run.pauseMs));
    console.log(line(name, granularity, { ms, pauseMs, total }));
  }
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
