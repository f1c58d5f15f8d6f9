import type { AppAccess } from '../core/access.js';
import { DAY_MS } from '../core/usage-period.js';
import type { UsageReport } from '../services/usage/usage.js';

/**
 * Returns the body of `GET /2/usage/tweets` (docs/api/limits.md#monthly-post-cap): totals always, days on request.
 * Each app is a project of its own. Counts are strings, as newer clients expect.
 */
export function presentUsage(
  { id }: Pick<AppAccess, 'id'>,
  report: UsageReport,
  fields: ReadonlySet<string>,
): Record<string, unknown> {
  const daily = report.days
    .filter(({ posts }) => posts > 0)
    .map(({ day, posts }) => ({ date: new Date(day * DAY_MS).toISOString(), usage: String(posts) }));
  const usage = daily.length > 0 ? { usage: daily } : {};
  return {
    project_id: String(id),
    project_cap: String(report.cap),
    project_usage: String(report.used),
    cap_reset_day: report.daysLeft,
    ...(fields.has('daily_project_usage') && {
      daily_project_usage: { project_id: String(id), ...usage },
    }),
    ...(fields.has('daily_client_app_usage') && {
      daily_client_app_usage: [{ client_app_id: String(id), usage_result_count: daily.length, ...usage }],
    }),
  };
}
