import type { PostId } from '../../../core/ids.js';
import { endpoint, perQuarterHour, publicRead } from '../../endpoint.js';
import { postFieldParams } from '../../params/families.js';
import { idParam } from '../../params/params.js';
import { singleSchema } from '../../schemas/envelopes.js';
import { lookupOf } from '../../viewer.js';
import { ofPost, ownedPage, postInPath, posts } from '../owned-page.js';

/** See docs/api/pipit.md#conversation. */
export const getConversation = endpoint({
  operationId: 'getConversation',
  tag: 'Pipit',
  summary: 'The conversation around a post: the posts above it and a page of its replies',
  path: '/_pipit/posts/{id}/conversation',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
  params: {
    ...postInPath,
    after: idParam<PostId>('`next_token` of the page before.'),
    ...postFieldParams,
  },
  response: singleSchema('Conversation'),
  handler: async ({ conversations, views }, call) => {
    const { id, after } = call.params;
    const part = await conversations.aroundId(id, after);
    return views.conversation({ id, part, ...lookupOf(call, 'id') });
  },
});

/** See docs/api/pipit.md#conversation. */
export const getHiddenReplies = ownedPage(ofPost, posts, {
  operationId: 'getHiddenReplies',
  tag: 'Pipit',
  summary: 'The replies that the author of the conversation hid, newest first',
  path: '/_pipit/posts/{id}/hidden_replies',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
  page: { min: 1, max: 100, default: 20 },
  list: ({ conversations }, { params }, page) => conversations.listHidden(params.id, page),
});
