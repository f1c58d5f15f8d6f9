import { MAX_SPACE_TITLE } from '../../../core/limits.js';
import type { Space } from '../../../core/space.js';
import * as v from '../../../core/validators.js';
import {
  type AnyEndpoint,
  type Call,
  type CredentialRules,
  endpoint,
  perQuarterHour,
  publicRead,
  userWrite,
} from '../../endpoint.js';
import type { ApiContext } from '../../context.js';
import { jsonBody, timeField } from '../../body/body.js';
import { withPageMeta } from '../../paging.js';
import { spaceFieldParams } from '../../params/families.js';
import { choiceParam, integerParam } from '../../params/params.js';
import { pageSchema, singleSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';
import { spaceInPath } from '../owned-page.js';

/** See docs/api/pipit.md#own-spaces. */

const common = {
  tag: 'Pipit',
  access: userWrite('space.read', 'tweet.write'),
  rateLimits: perQuarterHour({ user: 50 }),
  response: singleSchema('Space'),
} as const;

const title = v.text({ min: 1, max: MAX_SPACE_TITLE, pattern: /\S/, example: 'Birds of the pond' });
const scheduled_start = timeField('The time of the start, at most 30 days ahead.');
const params = { ...spaceInPath, ...spaceFieldParams };

/** Returns the Space as its host sees it. */
function show(
  { views }: ApiContext,
  call: Call<CredentialRules, typeof spaceFieldParams, unknown>,
  { id }: Space,
) {
  return views.space({ ids: [id], ...viewOf({ ...call, principal: call.principal }) });
}

/** Declares an endpoint that changes the state of a Space of the user. */
function stateEndpoint(
  change: 'start' | 'end' | 'cancel',
  declaration: Pick<AnyEndpoint, 'operationId' | 'summary' | 'method' | 'path' | 'removes'>,
): AnyEndpoint {
  return endpoint({
    ...common,
    ...declaration,
    params,
    handler: async (context, call) =>
      show(context, call, await context.ownSpaces[change](call.principal, call.params.id)),
  });
}

export const ownSpaceEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'createSpace',
    summary: 'Creates a Space of the user: live at once, or scheduled',
    method: 'POST',
    path: '/_pipit/spaces',
    params: spaceFieldParams,
    body: jsonBody(v.object({ title: v.required(title), scheduled_start })),
    success: 201,
    handler: async (context, call) => {
      const settings = { title: call.body.title, scheduledStartMs: call.body.scheduled_start };
      return show(context, call, await context.ownSpaces.create(call.principal, settings));
    },
  }),
  endpoint({
    ...common,
    operationId: 'changeSpace',
    summary: 'Changes the title of a Space of the user, or the time of a scheduled one',
    method: 'PUT',
    path: '/_pipit/spaces/{id}',
    params,
    body: jsonBody(v.object({ title, scheduled_start })),
    handler: async (context, call) => {
      const settings = { title: call.body.title, scheduledStartMs: call.body.scheduled_start };
      return show(context, call, await context.ownSpaces.change(call.principal, call.params.id, settings));
    },
  }),
  stateEndpoint('start', {
    operationId: 'startSpace',
    summary: 'Starts a scheduled Space of the user',
    method: 'POST',
    path: '/_pipit/spaces/{id}/start',
  }),
  stateEndpoint('end', {
    operationId: 'endSpace',
    summary: 'Ends a live Space of the user',
    method: 'POST',
    path: '/_pipit/spaces/{id}/end',
    removes: true,
  }),
  stateEndpoint('cancel', {
    operationId: 'cancelSpace',
    summary: 'Cancels a scheduled Space of the user',
    method: 'DELETE',
    path: '/_pipit/spaces/{id}',
  }),
];

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
