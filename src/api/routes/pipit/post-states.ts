import type { PostId } from '../../../core/ids.js';
import { endpoint, perQuarterHour, userRead } from '../../endpoint.js';
import { idListParam, required } from '../../params/params.js';
import { listSchema } from '../../schemas/envelopes.js';
import { lookupOf } from '../../viewer.js';

/** See docs/api/pipit.md#states-of-posts. */
export const getPostStates = endpoint({
  operationId: 'getPostStates',
  tag: 'Pipit',
  summary: 'What the user did with up to 100 posts: liked, reposted, bookmarked, voted',
  path: '/_pipit/posts/states',
  access: userRead('like.read', 'bookmark.read'),
  rateLimits: perQuarterHour({ user: 900 }),
  params: { ids: required(idListParam<PostId>('The posts.')) },
  response: listSchema('PostState'),
  handler: ({ views }, call) => {
    const { principal, params } = call;
    const { asSent } = lookupOf({ ...call, params: {} }, 'ids');
    return views.postStates({ ids: params.ids, viewerId: principal.userId, parameter: 'ids', asSent });
  },
});
