import type { PostId } from '../../core/ids.js';
import { publicRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams, userWithPostFieldParams } from '../params/families.js';
import { idParam, inPath } from '../params/params.js';
import { perQuarterHour, POST_BUDGET } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { postBody, postInPath, userInPath } from './post-actions.js';

/** See docs/api/posts.md#replies-quotes-and-reposts and docs/api/limits.md#monthly-post-cap. */

const tag = 'Reposts';
const writeAccess = { ...userWrite('tweet.write'), ownId: 'id' } as const;
const page = { min: 1, max: 100, default: 100 } as const;
const readLimits = perQuarterHour({ app: 75, user: 75 });
const retweeted = dataSchema({ retweeted: { type: 'boolean' } });

export const repostPost = endpoint({
  operationId: 'usersIdRetweets',
  tag,
  summary: 'Reposts a post',
  method: 'POST',
  path: '/2/users/{id}/retweets',
  access: writeAccess,
  rateLimits: [...perQuarterHour({ user: 50 }), POST_BUDGET],
  params: userInPath,
  body: postBody,
  response: retweeted,
  handler: async ({ reposts }, { principal, body }) => {
    await reposts.repost(principal, body.tweet_id);
    return { data: { retweeted: true } };
  },
});

export const undoRepost = endpoint({
  operationId: 'usersIdUnretweets',
  tag,
  summary: 'Removes a repost; idempotent',
  method: 'DELETE',
  path: '/2/users/{id}/retweets/{source_tweet_id}',
  access: writeAccess,
  rateLimits: perQuarterHour({ user: 50 }),
  params: { ...userInPath, source_tweet_id: inPath(idParam<PostId>('The post that was reposted.')) },
  response: retweeted,
  handler: async ({ reposts }, { principal, params }) => {
    await reposts.undo(principal, params.source_tweet_id);
    return { data: { retweeted: false } };
  },
});

export const getReposters = pagedEndpoint({
  operationId: 'tweetsIdRetweetingUsers',
  tag,
  summary: 'The users who reposted a post, newest repost first',
  path: '/2/tweets/{id}/retweeted_by',
  access: publicRead(),
  rateLimits: readLimits,
  params: { ...postInPath, ...userWithPostFieldParams },
  page,
  component: 'User',
  refuse: ({ views }, call) => views.refuseListOfPost({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ reposts }, { params }, request) => reposts.listReposters(params.id, request),
  show: ({ views }, call, ids) => views.actors({ ids, ...viewOf(call) }),
});

export const getReposts = pagedEndpoint({
  operationId: 'findTweetsThatRetweetATweet',
  tag,
  summary: 'The reposts of a post, newest first',
  path: '/2/tweets/{id}/retweets',
  access: publicRead(),
  rateLimits: readLimits,
  params: { ...postInPath, ...postFieldParams },
  page,
  component: 'Tweet',
  refuse: ({ views }, call) => views.refuseListOfPost({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ reposts }, { params }, request) => reposts.listReposts(params.id, request),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});

export const getRepostsOfMe = pagedEndpoint({
  operationId: 'getUsersRepostsOfMe',
  tag,
  summary: 'The reposted posts of the user, newest first',
  path: '/2/users/reposts_of_me',
  access: { contexts: ['oauth1', 'oauth2'], scopes: ['timeline.read', 'tweet.read'] },
  rateLimits: perQuarterHour({ user: 75 }),
  params: postFieldParams,
  page,
  component: 'Tweet',
  list: ({ reposts }, { principal }, request) => reposts.listReposted(principal.userId, request),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});
