import type { PostId } from '../../core/ids.js';
import { endpoint } from '../endpoint.js';
import { postFieldParams } from '../params/families.js';
import { idListParam } from '../params/lists.js';
import { inPath, required } from '../params/param.js';
import { selectionOf } from '../params/selection.js';
import { idParam } from '../params/values.js';
import { listSchema, singleSchema } from '../schemas/envelopes.js';
import { viewerOf } from '../viewer.js';

/** Specification 4.10. */

const access = {
  contexts: ['app', 'oauth1', 'oauth2'],
  scopes: ['tweet.read', 'users.read'],
} as const;

const rateLimits = [
  { per: 'app', limit: 300 },
  { per: 'user', limit: 900 },
] as const;

export const getPost = endpoint({
  operationId: 'findTweetById',
  tag: 'Post lookup',
  summary: 'One post by its id',
  method: 'GET',
  path: '/2/tweets/{id}',
  access,
  rateLimits,
  capped: true,
  params: { id: inPath(idParam<PostId>('The post.')), ...postFieldParams },
  response: singleSchema('Tweet'),
  handler: ({ views }, { principal, params }) =>
    views.post({
      id: params.id,
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
      parameter: 'id',
    }),
});

export const getPosts = endpoint({
  operationId: 'findTweetsById',
  tag: 'Post lookup',
  summary: 'Up to 100 posts by their ids',
  method: 'GET',
  path: '/2/tweets',
  access,
  rateLimits,
  capped: true,
  params: { ids: required(idListParam<PostId>('The posts.')), ...postFieldParams },
  response: listSchema('Tweet'),
  handler: ({ views }, { principal, params }) =>
    views.posts({
      ids: params.ids,
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
      parameter: 'ids',
    }),
});
