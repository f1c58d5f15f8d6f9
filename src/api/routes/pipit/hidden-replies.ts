import { pagedEndpoint } from '../../paged-endpoint.js';
import { perQuarterHour, publicRead } from '../../endpoint.js';
import { postFieldParams } from '../../params/families.js';
import { lookupOf, viewOf } from '../../viewer.js';
import { postInPath } from '../owned-page.js';

/** See docs/api/pipit.md#conversation. */
export const getHiddenReplies = pagedEndpoint({
  operationId: 'getHiddenReplies',
  tag: 'Pipit',
  summary: 'The replies that the author of the conversation hid, newest first',
  path: '/_pipit/posts/{id}/hidden_replies',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
  params: { ...postInPath, ...postFieldParams },
  page: { min: 1, max: 100, default: 20 },
  component: 'Tweet',
  refuse: ({ views }, call) => views.refuseListOfPost({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ conversations }, { params }, page) => conversations.listHidden(params.id, page),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});
