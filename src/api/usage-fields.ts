import type { AppAccess } from '../core/access.js';
import {
  count,
  date,
  described,
  fullObject,
  id,
  listOf,
  object,
  schemaOf,
  type ValueOf,
} from '../core/json-schema.js';
import { DAY_MS } from '../core/usage-period.js';
import type { UsageReport } from '../services/usage/usage.js';
import { field, required, type Fields } from '../views/wire/field.js';

/** Newer clients expect these counts as texts. */
const digits = schemaOf('string', { pattern: '^[0-9]+$', example: '12' });
const days = listOf(fullObject({ date, usage: digits }));
const ofApp = object({ client_app_id: id, usage_result_count: count, usage: days }, [
  'client_app_id',
  'usage_result_count',
]);

/** The use of the monthly posts of a project (docs/api/limits.md#monthly-post-cap). Each app is a project of its own. */
export const usageFields = {
  project_id: required(id, (_, app) => String(app.id)),
  project_cap: required(digits, ({ cap }) => String(cap)),
  project_usage: required(digits, ({ used }) => String(used)),
  cap_reset_day: required(described(count, 'Days until the count restarts.'), ({ daysLeft }) => daysLeft),
  daily_project_usage: field(object({ project_id: id, usage: days }, ['project_id']), (report, app) => ({
    project_id: String(app.id),
    usage: daysOf(report),
  })),
  daily_client_app_usage: field(listOf(ofApp), (report, app) => {
    const usage = daysOf(report);
    return [{ client_app_id: String(app.id), usage_result_count: usage?.length ?? 0, usage }];
  }),
} satisfies Fields<UsageReport, Pick<AppAccess, 'id'>>;

/** Returns the days on which posts were read; undefined if there are none. */
function daysOf(report: UsageReport): ValueOf<typeof days> | undefined {
  const used = report.days.filter(({ posts }) => posts > 0);
  if (used.length === 0) return undefined;
  return used.map(({ day, posts }) => ({ date: new Date(day * DAY_MS).toISOString(), usage: String(posts) }));
}
