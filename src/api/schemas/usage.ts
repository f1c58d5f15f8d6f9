import { count, date, described, id, listOf, object } from '../../core/json-schema.js';

const digits = { type: 'string', pattern: '^[0-9]+$', example: '12' };

const daily = listOf(object({ date, usage: digits }, ['date', 'usage']));

/** What a project was given of its monthly posts (docs/api/limits.md#monthly-post-cap). */
export const usage = object(
  {
    project_id: id,
    project_cap: digits,
    project_usage: digits,
    cap_reset_day: described(count, 'Days left until the count begins anew.'),
    daily_project_usage: object({ project_id: id, usage: daily }, ['project_id']),
    daily_client_app_usage: listOf(
      object({ client_app_id: id, usage_result_count: count, usage: daily }, [
        'client_app_id',
        'usage_result_count',
      ]),
    ),
  },
  ['project_id', 'project_cap', 'project_usage', 'cap_reset_day'],
);
