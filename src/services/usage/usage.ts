import type { AppAccess } from '../../core/access.js';
import { PipitError } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import { isWebClient } from '../../core/web-client.js';
import { postCap, usageDay, usagePeriod, type UsagePeriod } from '../../core/usage-period.js';
import { findApp } from '../../stores/apps.js';
import { listUsage, replaceUsage, type DayUsage } from '../../stores/usage.js';
import { createUsageWriter, type UsageWriterDeps } from './usage-writer.js';

/** `standard`: requests beyond the cap are refused. `off`: usage is only counted. */
type PostCapMode = 'standard' | 'off';

/** A project's usage and its cap. */
export interface UsageReport {
  readonly cap: number;
  /** The posts of the current period. */
  readonly used: number;
  /** The days until the period ends, including today. */
  readonly daysLeft: number;
  /** The requested days with usage, in order. */
  readonly days: readonly DayUsage[];
}

/**
 * Counts the requests of projects and the posts they receive, each post once a day, and enforces the monthly cap
 * (docs/api/limits.md#monthly-post-cap). Each app is its own project. Counts are buffered for up to a second before
 * they are written; a process that is killed loses that second. Counts of other processes are seen within a second.
 */
export type UsageService = ReturnType<typeof createUsageService>;

export interface UsageDeps extends Omit<UsageWriterDeps, 'onWritten'> {
  readonly mode: PostCapMode;
}

/** Totals expire after this time, because other processes count too. */
const FRESH_MS = 1_000;

/** An app's usage at the time of reading. */
interface Total {
  readonly period: UsagePeriod;
  /** Excludes counts that this process has not written yet. */
  readonly used: number;
  readonly readAtMs: number;
}

export function createUsageService({ engine, clock, mode, log }: UsageDeps) {
  const totals = new Map<AppId, Total>();
  const writer = createUsageWriter({ engine, clock, log, onWritten: (appId) => void totals.delete(appId) });

  const readTotal = async (appId: AppId): Promise<Total> => {
    const nowMs = clock();
    const period = usagePeriod(nowMs, (await findApp(engine, appId))?.createdAtMs ?? 0);
    const days = await listUsage(engine, appId, period.first, period.next - 1);
    const total = { period, used: sum(days), readAtMs: nowMs };
    totals.set(appId, total);
    return total;
  };
  const hasLeft = (app: AppAccess, { used }: Total): boolean => used + writer.size(app.id) < postCap(app);
  const freshTotal = (appId: AppId): Total | undefined => {
    const known = totals.get(appId);
    return known && isFresh(known, clock()) ? known : undefined;
  };
  const requireLeft = async (app: AppAccess): Promise<void> => {
    let total = freshTotal(app.id) ?? (await readTotal(app.id));
    if (!hasLeft(app, total) && writer.size(app.id) > 0) {
      // Unwritten posts may duplicate written ones, from another process or an earlier run of this one.
      await writer.flush();
      total = await readTotal(app.id);
    }
    if (!hasLeft(app, total)) throw new PipitError({ code: 'usage-capped', accountId: String(app.id) });
  };

  return {
    /** Throws 'usage-capped' when the cap is reached. Returns undefined when no database access was needed. */
    require: (app: AppAccess) => {
      if (mode === 'off' || isWebClient(app)) return undefined;
      const known = freshTotal(app.id);
      return known && hasLeft(app, known) ? undefined : requireLeft(app);
    },
    /** Counts a request of an app, whatever its outcome. */
    countRequest: (app: AppAccess) => {
      if (!isWebClient(app)) writer.addRequest(app.id);
    },
    /** Counts posts that an app received, by their ids. */
    record: (app: AppAccess, postIds: readonly string[]) => {
      if (!isWebClient(app)) writer.add(app.id, postIds);
    },
    /** Reports the usage of the last `days` days, including today. Flushes this process's counts first. */
    report: async (app: AppAccess, count: number) => {
      await writer.flush();
      const { period } = await readTotal(app.id);
      const today = usageDay(clock());
      const first = today - count + 1;
      const days = await listUsage(engine, app.id, Math.min(first, period.first), today);
      return {
        cap: postCap(app),
        used: sum(days.filter(({ day }) => day >= period.first)),
        daysLeft: period.next - today,
        days: days.filter(({ day }) => day >= first),
      };
    },
    /** Sets the posts of the current period, all on today. */
    set: async (app: AppAccess, posts: number) => {
      await writer.flush();
      const { period } = await readTotal(app.id);
      const replaced = { appId: app.id, first: period.first, day: usageDay(clock()), posts };
      await engine.tx('set usage', (tx) => replaceUsage(tx, replaced));
      totals.delete(app.id);
    },
    /** Writes the counts that are not stored yet. */
    flush: () => writer.flush(),
    /** Writes the remaining counts. */
    close: () => writer.close(),
  };
}

function isFresh({ period, readAtMs }: Total, nowMs: number): boolean {
  const ageMs = nowMs - readAtMs;
  return ageMs >= 0 && ageMs < FRESH_MS && usageDay(nowMs) < period.next;
}

function sum(days: readonly DayUsage[]): number {
  return days.reduce((total, { posts }) => total + posts, 0);
}
