import type { PostId } from '../../core/ids.js';
import { publicRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams, userWithPostFieldParams } from '../params/families.js';
import { idParam, inPath } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { postBody, postInPath, userInPath } from './post-actions.js';

/** See docs/api/timelines.md#likes-and-bookmarks. */

const tag = 'Likes';
const readAccess = publicRead('like.read');
const writeAccess = { ...userWrite('like.write'), ownId: 'id' } as const;
const readLimits = perQuarterHour({ app: 75, user: 75 });
const writeLimits = [
  ...perQuarterHour({ user: 50 }),
  { per: 'user', limit: 1000, windowSeconds: 24 * 60 * 60, pool: 'likes and unlikes' },
] as const;
const liked = dataSchema({ liked: { type: 'boolean' } });

export const likePost = endpoint({
  operationId: 'usersIdLike',
  tag,
  summary: 'Likes a post',
  method: 'POST',
  path: '/2/users/{id}/likes',
  access: writeAccess,
  rateLimits: writeLimits,
  params: userInPath,
  body: postBody,
  response: liked,
  handler: async ({ likes }, { principal, body }) => {
    await likes.like(principal, body.tweet_id);
    return { data: { liked: true } };
  },
});

export const unlikePost = endpoint({
  operationId: 'usersIdUnlike',
  tag,
  summary: 'Removes a like; idempotent',
  method: 'DELETE',
  path: '/2/users/{id}/likes/{tweet_id}',
  access: writeAccess,
  rateLimits: writeLimits,
  params: { ...userInPath, tweet_id: inPath(idParam<PostId>('The post.')) },
  response: liked,
  handler: async ({ likes }, { principal, params }) => {
    await likes.unlike(principal, params.tweet_id);
    return { data: { liked: false } };
  },
});

export const getLikers = pagedEndpoint({
  operationId: 'tweetsIdLikingUsers',
  tag,
  summary: 'The users who like a post, newest like first',
  path: '/2/tweets/{id}/liking_users',
  access: readAccess,
  rateLimits: readLimits,
  params: { ...postInPath, ...userWithPostFieldParams },
  page: { min: 1, max: 100, default: 100 },
  component: 'User',
  refuse: ({ views }, call) => views.refuseListOfPost({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ likes }, { params }, page) => likes.listLikers(params.id, page),
  show: ({ views }, call, ids) => views.actors({ ids, ...viewOf(call) }),
});

export const getLikedPosts = pagedEndpoint({
  operationId: 'usersIdLikedTweets',
  tag,
  summary: 'The posts that a user likes, newest like first',
  path: '/2/users/{id}/liked_tweets',
  access: readAccess,
  rateLimits: readLimits,
  capped: true,
  params: { ...userInPath, ...postFieldParams },
  page: { min: 5, max: 100, default: 100 },
  component: 'Tweet',
  refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ likes }, { params }, page) => likes.listLiked(params.id, page),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});
