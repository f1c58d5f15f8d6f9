import { endpoint } from '../endpoint.js';
import { choicesParam, integerParam } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { USAGE_FIELDS } from '../params/fields.js';
import { singleSchema } from '../schemas/envelopes.js';
import { presentUsage } from '../present-usage.js';

/** docs/api/limits.md#monthly-post-cap */
export const getUsage = endpoint({
  operationId: 'getUsageTweets',
  tag: 'Usage',
  summary: 'How many posts the project was given of what it may be given in a month',
  method: 'GET',
  path: '/2/usage/tweets',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 50 }),
  params: {
    days: integerParam<number>(1, 90, 7, 'For how many days, today included, to tell the daily usage.'),
    'usage.fields': choicesParam(USAGE_FIELDS, 'Fields of the usage to return beside the default ones.'),
  },
  response: singleSchema('Usage'),
  handler: async ({ usage }, { principal, params }) => ({
    data: presentUsage(principal.app, await usage.report(principal.app, params.days), params['usage.fields']),
  }),
});
