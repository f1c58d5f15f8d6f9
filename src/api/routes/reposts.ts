import type { PostId } from '../../core/ids.js';
import { EXCLUDABLE } from '../../views/page-rules.js';
import { publicRead, type AnyEndpoint, perQuarterHour, POST_BUDGET } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { choicesParam } from '../params/params.js';
import { lookupOf, viewOf } from '../viewer.js';
import { actionPair, postTarget } from './action-pair.js';
import { actors, ofPost, ownedPage, postInPath, posts } from './owned-page.js';

/** Quotes and reposts; see docs/api/timelines.md#quotes and docs/api/posts.md#replies-quotes-and-reposts. */

const tag = 'Reposts';
const read = { tag, access: publicRead(), rateLimits: perQuarterHour({ app: 75, user: 75 }) };
const writeLimits = perQuarterHour({ user: 50 });

export const repostEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...read,
    operationId: 'findTweetsThatQuoteATweet',
    tag: 'Quote posts',
    summary: 'The quotes of a post, newest first',
    path: '/2/tweets/{id}/quote_tweets',
    capped: true,
    params: {
      ...postInPath,
      exclude: choicesParam(EXCLUDABLE, 'Kinds of posts to exclude.'),
      ...postFieldParams,
    },
    page: { min: 10, max: 100, default: 10 },
    component: 'Tweet',
    forwardOnly: true,
    refuse: ({ views }, call) => views.refuseListOfPost({ id: call.params.id, ...lookupOf(call, 'id') }),
    list: ({ reposts }, { params }, request) => reposts.listQuotes(params.id, request),
    show: ({ views }, call, ids) => views.posts({ ids, exclude: call.params.exclude, ...viewOf(call) }),
  }),
  ownedPage(ofPost, actors, {
    ...read,
    operationId: 'tweetsIdRetweetingUsers',
    summary: 'The users who reposted a post, newest repost first',
    path: '/2/tweets/{id}/retweeted_by',
    list: ({ reposts }, { params }, request) => reposts.listReposters(params.id, request),
  }),
  ownedPage(ofPost, posts, {
    ...read,
    operationId: 'findTweetsThatRetweetATweet',
    summary: 'The reposts of a post, newest first',
    path: '/2/tweets/{id}/retweets',
    list: ({ reposts }, { params }, request) => reposts.listReposts(params.id, request),
  }),
  pagedEndpoint({
    operationId: 'getUsersRepostsOfMe',
    tag,
    summary: 'The reposted posts of the user, newest first',
    path: '/2/users/reposts_of_me',
    access: { contexts: ['oauth1', 'oauth2'], scopes: ['timeline.read', 'tweet.read'] },
    rateLimits: perQuarterHour({ user: 75 }),
    params: postFieldParams,
    page: { min: 1, max: 100, default: 100 },
    component: 'Tweet',
    list: ({ reposts }, { principal }, request) => reposts.listReposted(principal.userId, request),
    show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
  }),
  ...actionPair<PostId>(
    { ...postTarget, inPath: ['source_tweet_id', 'The post that was reposted.'] },
    {
      tag,
      scope: 'tweet.write',
      flag: 'retweeted',
      list: 'retweets',
      rateLimits: writeLimits,
      does: {
        operationId: 'usersIdRetweets',
        summary: 'Reposts a post',
        rateLimits: [...writeLimits, POST_BUDGET],
        run: ({ reposts }, principal, id) => reposts.repost(principal, id),
      },
      undoes: {
        operationId: 'usersIdUnretweets',
        summary: 'Removes a repost; idempotent',
        run: ({ reposts }, principal, id) => reposts.undo(principal, id),
      },
    },
  ),
];
