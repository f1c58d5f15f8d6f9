import type { ListId, PostId, UserId } from '../../../core/ids.js';
import { endpoint, perQuarterHour, userRead } from '../../endpoint.js';
import { idListParam, idParam, required } from '../../params/params.js';
import { listSchema } from '../../schemas/envelopes.js';
import { idAsSent } from '../../sent-ids.js';

const common = { tag: 'Pipit', rateLimits: perQuarterHour({ user: 900 }) } as const;

/** See docs/api/pipit.md#states-of-posts. */
export const getPostStates = endpoint({
  ...common,
  operationId: 'getPostStates',
  summary: 'What the user did with up to 100 posts: liked, reposted, bookmarked, voted',
  path: '/_pipit/posts/states',
  access: userRead('like.read', 'bookmark.read'),
  params: { ids: required(idListParam<PostId>('The posts.')) },
  response: listSchema('PostState'),
  handler: ({ views }, call) => {
    const { principal, params } = call;
    const asSent = (id: bigint) => idAsSent(call, 'ids', id);
    return views.postStates({ ids: params.ids, viewerId: principal.userId, parameter: 'ids', asSent });
  },
});

/** See docs/api/pipit.md#states-of-lists. */
export const getListStates = endpoint({
  ...common,
  operationId: 'getListStates',
  summary: 'What the user did with up to 100 Lists, and which of the own ones have a member',
  path: '/_pipit/lists/states',
  access: userRead('list.read'),
  params: {
    ids: required(idListParam<ListId>('The Lists.')),
    user_id: idParam<UserId>('The user to look for among the members of the own Lists.'),
  },
  response: listSchema('ListState'),
  handler: async ({ lists, views }, call) => {
    const { principal, params } = call;
    const { ids, user_id: memberId } = params;
    const asSent = (id: bigint) => idAsSent(call, 'ids', id);
    const ties = await lists.tiesOf(principal.userId, ids, memberId);
    return views.listStates({ ids, viewerId: principal.userId, ...ties, parameter: 'ids', asSent });
  },
});
