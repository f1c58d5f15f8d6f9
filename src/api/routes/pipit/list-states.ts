import type { ListId, UserId } from '../../../core/ids.js';
import { endpoint, perQuarterHour, userRead } from '../../endpoint.js';
import { idListParam, idParam, required } from '../../params/params.js';
import { listSchema } from '../../schemas/envelopes.js';
import { lookupOf } from '../../viewer.js';

/** See docs/api/pipit.md#states-of-lists. */
export const getListStates = endpoint({
  operationId: 'getListStates',
  tag: 'Pipit',
  summary: 'What the user did with up to 100 Lists, and which of the own ones have a member',
  path: '/_pipit/lists/states',
  access: userRead('list.read'),
  rateLimits: perQuarterHour({ user: 900 }),
  params: {
    ids: required(idListParam<ListId>('The Lists.')),
    user_id: idParam<UserId>('The user to look for among the members of the own Lists.'),
  },
  response: listSchema('ListState'),
  handler: async ({ lists, views }, call) => {
    const { principal, params } = call;
    const { ids, user_id: memberId } = params;
    const { asSent } = lookupOf({ ...call, params: {} }, 'ids');
    const ties = await lists.tiesOf(principal.userId, ids, memberId);
    return views.listStates({ ids, viewerId: principal.userId, ...ties, parameter: 'ids', asSent });
  },
});
