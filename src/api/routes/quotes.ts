import { EXCLUDABLE } from '../../views/page-rules.js';
import { publicRead } from '../access.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { choicesParam } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { lookupOf, viewOf } from '../viewer.js';
import { postInPath } from './post-actions.js';

/** See docs/api/timelines.md#quotes and docs/api/posts.md#replies-quotes-and-reposts. */
export const getQuotes = pagedEndpoint({
  operationId: 'findTweetsThatQuoteATweet',
  tag: 'Quote posts',
  summary: 'The quotes of a post, newest first',
  path: '/2/tweets/{id}/quote_tweets',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 75, user: 75 }),
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
  list: ({ reposts }, { params }, page) => reposts.listQuotes(params.id, page),
  show: ({ views }, call, ids) => views.posts({ ids, exclude: call.params.exclude, ...viewOf(call) }),
});
