import type { PostId } from '../../core/ids.js';
import { publicRead, type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { postFieldParams } from '../params/families.js';
import { idListParam, required } from '../params/params.js';
import { listSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf } from '../viewer.js';
import { postInPath } from './owned-page.js';

/** See docs/api/limits.md#sizes. */

const lookup = {
  tag: 'Post lookup',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
} as const;

export const postLookupEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...lookup,
    operationId: 'findTweetById',
    summary: 'One post by its id',
    path: '/2/tweets/{id}',
    params: { ...postInPath, ...postFieldParams },
    response: singleSchema('Tweet'),
    handler: ({ views }, call) => views.post({ ids: [call.params.id], ...lookupOf(call, 'id') }),
  }),
  endpoint({
    ...lookup,
    operationId: 'findTweetsById',
    summary: 'Up to 100 posts by their ids',
    path: '/2/tweets',
    params: { ids: required(idListParam<PostId>('The posts.')), ...postFieldParams },
    response: listSchema('Tweet'),
    handler: ({ views }, call) => views.posts({ ids: call.params.ids, ...lookupOf(call, 'ids') }),
  }),
];
