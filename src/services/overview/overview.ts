import { dayOf, type DayFigure } from '../../core/day-figures.js';
import { readBacklog, type Backlog } from '../../stores/backlog.js';
import { listDayFigures } from '../../stores/day-figures.js';
import { countOpenCases } from '../../stores/report-cases.js';
import { countOpenStreams } from '../../stores/stream-connections.js';
import { countFailingWebhooks, countWebhooks } from '../../stores/webhooks.js';
import type { ServiceDeps } from '../service-deps.js';
import { SHOWN_DAYS } from './count-days.js';

/** Counts stop here. */
export const MOST_COUNTED = 1_000;

/** What operators see of their server. */
export interface Overview {
  /** The figures that were counted for the last days, oldest first. */
  readonly days: readonly DayFigure[];
  readonly backlog: Backlog;
  readonly databaseBytes: number;
  readonly openCases: number;
  readonly openStreams: number;
  readonly webhooks: number;
  readonly failingWebhooks: number;
  /** The caches of this process, with what they found and did not find. */
  readonly caches: readonly { readonly name: string; readonly hits: number; readonly misses: number }[];
}

/** Reads the overview: kept figures and bounded counts, whatever the size of the network. */
export async function readOverview({
  engine,
  clock,
}: Pick<ServiceDeps, 'engine' | 'clock'>): Promise<Overview> {
  const nowMs = clock();
  return {
    days: await listDayFigures(engine, dayOf(nowMs) - SHOWN_DAYS + 1),
    backlog: await readBacklog(engine),
    databaseBytes: (await engine.figures()).bytes,
    openCases: await countOpenCases(engine, MOST_COUNTED),
    openStreams: await countOpenStreams(engine, nowMs, MOST_COUNTED),
    webhooks: await countWebhooks(engine, MOST_COUNTED),
    failingWebhooks: await countFailingWebhooks(engine, MOST_COUNTED),
    caches: [...(engine.caches?.byName ?? [])].map(([name, { hits, misses }]) => ({ name, hits, misses })),
  };
}
