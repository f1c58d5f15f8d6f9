import { GRANULARITIES } from '../../services/posts/analytics.js';
import { notFoundError, wantedOf } from '../../views/present/partial-errors.js';
import { presenter } from '../../views/wire/presenter.js';
import { endpoint, perQuarterHour, userRead } from '../endpoint.js';
import { mediaAnalyticsFields } from '../media-analytics-fields.js';
import { MEDIA_ANALYTICS_FIELDS } from '../params/fields.js';
import { choiceParam, choicesParam, patternListParam, required, timestampParam } from '../params/params.js';
import { listSchema } from '../schemas/envelopes.js';

const MEDIA_KEY = /^[0-9]+_[0-9]{1,19}$/;

/** See docs/api/media.md#analytics. */
export const getMediaAnalytics = endpoint({
  operationId: 'getMediaAnalytics',
  tag: 'Media',
  summary: 'The views of own media',
  path: '/2/media/analytics',
  access: userRead(),
  rateLimits: perQuarterHour({ user: 300 }),
  params: {
    media_keys: required(patternListParam(MEDIA_KEY, 'Up to 100 own media.', '7_1346889436626259968')),
    start_time: required(timestampParam('The start of the first period.')),
    end_time: required(timestampParam('The end of the last period.', '2022-02-08T00:00:00Z')),
    granularity: choiceParam(
      GRANULARITIES.filter((each) => each !== 'weekly'),
      'daily',
      'The length of a period.',
    ),
    'media_analytics.fields': choicesParam(
      MEDIA_ANALYTICS_FIELDS,
      'Fields to return beside the default ones.',
    ),
  },
  response: listSchema('MediaAnalytics'),
  handler: async ({ mediaAnalytics }, { principal, params }) => {
    const { media_keys: keys, start_time: fromMs, end_time: toMs, granularity } = params;
    const own = await mediaAnalytics(principal, { keys, fromMs, toMs, granularity });
    const present = presenter(mediaAnalyticsFields, params['media_analytics.fields']);
    const asked = [...new Set(keys)];
    const data = asked.flatMap((key) => own.get(key) ?? []).map((media) => present(media));
    const errors = asked
      .filter((key) => !own.has(key))
      .map((key) => notFoundError(wantedOf('media', { parameter: 'media_keys' }, key)));
    return { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) };
  },
});
