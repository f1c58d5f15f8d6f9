import { presenter } from '../../views/wire/presenter.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { choicesParam, integerParam } from '../params/params.js';
import { USAGE_FIELDS } from '../params/fields.js';
import { singleSchema } from '../schemas/envelopes.js';
import { usageFields } from '../usage-fields.js';

/** See docs/api/limits.md#monthly-post-cap. */
export const getUsage = endpoint({
  operationId: 'getUsageTweets',
  tag: 'Usage',
  summary: 'The number of posts returned to the project, and its monthly cap',
  path: '/2/usage/tweets',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 50 }),
  params: {
    days: integerParam<number>(1, 90, 7, 'The number of days, including today, of daily usage to return.'),
    'usage.fields': choicesParam(
      USAGE_FIELDS,
      'Fields of the usage to return in addition to the default ones.',
    ),
  },
  response: singleSchema('Usage'),
  handler: async ({ usage }, { principal, params }) => {
    const report = await usage.report(principal.app, params.days);
    return { data: presenter(usageFields, params['usage.fields'])(report, principal.app) };
  },
});
