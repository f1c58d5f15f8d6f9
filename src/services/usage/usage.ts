import type { AppAccess } from '../../core/access.js';
import { PipitError } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import { postCap, usageDay, usagePeriod, type UsagePeriod } from '../../core/usage-period.js';
import { findApp } from '../../stores/apps.js';
import { listUsage, type DayUsage } from '../../stores/usage.js';
import { createUsageWriter, type UsageWriterDeps } from './usage-writer.js';

/** `standard`: no more than the cap. `off`: nothing is refused, and all is counted. */
type PostCapMode = 'standard' | 'off';

/** What a project was given of what it may be given. */
export interface UsageReport {
  readonly cap: number;
  /** Posts of the running period. */
  readonly used: number;
  /** In which the period ends, today included. */
  readonly daysLeft: number;
  /** The days asked for on which there were requests, in order. */
  readonly days: readonly DayUsage[];
}

/**
 * Counts the requests of projects and the posts that they are given, each once a day, and refuses more than their cap a month
 * (docs/api/limits.md#monthly-post-cap). Each app is a project of its own. What is counted is kept in
 * memory for up to a second and then written, so that counting costs no request a commit; a process that is killed
 * forgets that second. Other processes' counts are heard of within a second.
 */
export interface UsageService {
  /** Throws 'usage-capped' when nothing is left; undefined where there is nothing to wait for. */
  require(app: AppAccess): Promise<void> | undefined;
  /** Counts a request of an app, whatever becomes of it. */
  countRequest(app: AppAccess): void;
  /** Counts posts, by their ids, that an app was given now. */
  record(app: AppAccess, postIds: readonly string[]): void;
  /** What this process has counted, and what others have written; of the last `days` days, today included. */
  report(app: AppAccess, days: number): Promise<UsageReport>;
  /** Writes what was counted, for the last time. */
  close(): Promise<void>;
}

export interface UsageDeps extends Omit<UsageWriterDeps, 'onWritten'> {
  readonly mode: PostCapMode;
}

/** A total is read anew after so long, as other processes count as well. */
const FRESH_MS = 1_000;

/** What an app has used, as it was when it was read. */
interface Total {
  readonly period: UsagePeriod;
  /** Without what this process has not written yet. */
  readonly used: number;
  readonly readAtMs: number;
}

export function createUsageService({ engine, clock, mode, log }: UsageDeps): UsageService {
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
      // What is not written yet may have been counted before, by another process or by this one before it ended.
      await writer.flush();
      total = await readTotal(app.id);
    }
    if (!hasLeft(app, total)) throw new PipitError({ code: 'usage-capped', accountId: String(app.id) });
  };

  return {
    require: (app) => {
      if (mode === 'off') return undefined;
      const known = freshTotal(app.id);
      return known && hasLeft(app, known) ? undefined : requireLeft(app);
    },
    countRequest: (app) => writer.addRequest(app.id),
    record: (app, postIds) => writer.add(app.id, postIds),
    report: async (app, count) => {
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
