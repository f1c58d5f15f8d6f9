import { endpoint, perQuarterHour, publicRead } from '../../endpoint.js';
import { withPageMeta } from '../../paging.js';
import { spaceFieldParams } from '../../params/families.js';
import { choiceParam, integerParam } from '../../params/params.js';
import { pageSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#open-spaces. */
export const getOpenSpaces = endpoint({
  operationId: 'getOpenSpaces',
  tag: 'Pipit',
  summary: 'Live Spaces with the most participants first, then scheduled ones by their start',
  path: '/_pipit/spaces',
  access: publicRead('space.read'),
  rateLimits: perQuarterHour({ app: 300, user: 300 }),
  params: {
    state: choiceParam(['live', 'scheduled', 'all'], 'all', 'The state of the Spaces to return.'),
    max_results: integerParam<number>(1, 100, 50, 'The maximum number of results.'),
    ...spaceFieldParams,
  },
  response: pageSchema('Space'),
  handler: async ({ spaces, views }, call) => {
    const { state, max_results: limit } = call.params;
    const ids = await spaces.listOpen(state);
    return withPageMeta(await views.spaces({ ids, limit, ...viewOf(call) }), {});
  },
});
