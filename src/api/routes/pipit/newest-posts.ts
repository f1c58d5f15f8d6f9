import { MAX_ID, type PostId } from '../../../core/ids.js';
import { endpoint, perQuarterHour, publicRead } from '../../endpoint.js';
import { withPageMeta } from '../../paging.js';
import { postFieldParams } from '../../params/families.js';
import { idParam, integerParam } from '../../params/params.js';
import { pageSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#newest-posts. */
export const getNewestPosts = endpoint({
  operationId: 'getNewestPosts',
  tag: 'Pipit',
  summary: 'The newest public posts of all users, without replies and reposts',
  path: '/_pipit/posts/newest',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 300 }),
  capped: true,
  params: {
    until_id: idParam<PostId>('Only posts with lower ids.'),
    max_results: integerParam<number>(1, 100, 20, 'The maximum number of results.'),
    ...postFieldParams,
  },
  response: pageSchema('Tweet'),
  handler: async ({ newestPosts, views }, call) => {
    const { until_id: until, max_results: limit } = call.params;
    const ids = await newestPosts.list(until === undefined ? MAX_ID : until - 1n, limit);
    return withPageMeta(await views.posts({ ids, ...viewOf(call) }), {});
  },
});
