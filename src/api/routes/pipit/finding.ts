import type { SavedSearchId } from '../../../core/ids.js';
import { MAX_SAVED_QUERY } from '../../../core/limits.js';
import { fullObject, ref } from '../../../core/json-schema.js';
import * as v from '../../../core/validators.js';
import { savedSearchFields } from '../../../views/wire/saved-search.js';
import { presenter } from '../../../views/wire/presenter.js';
import { jsonBody } from '../../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { withPageMeta } from '../../paging.js';
import { userFieldParams } from '../../params/families.js';
import { idParam, inPath, integerParam, patternParam, required } from '../../params/params.js';
import { listSchema, plainListSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#completions, docs/api/pipit.md#suggestions and docs/api/pipit.md#saved-searches. */

const tag = 'Pipit';
const MAX_COMPLETIONS = 10;

/** A sign and the beginning of a name or hashtag. */
const TYPED = /^[@#][\p{L}\p{M}\p{N}_]{0,50}$/u;

const found: readonly AnyEndpoint[] = [
  endpoint({
    operationId: 'getCompletions',
    tag,
    summary: 'Users or hashtags whose names begin as typed',
    path: '/_pipit/completions',
    access: userRead(),
    rateLimits: perQuarterHour({ user: 900 }),
    params: { text: required(patternParam(TYPED, 'The sign and the beginning.', '@mar')) },
    response: plainListSchema('Completion'),
    handler: async ({ completions, views }, { principal: { userId: viewerId }, params }) => {
      const beginning = params.text.slice(1);
      const isUser = params.text.startsWith('@');
      const userIds = isUser && beginning !== '' ? await completions.users(viewerId, beginning) : [];
      const tags = isUser ? [] : await completions.tags(viewerId, beginning);
      const shown = await views.completions({ viewerId, userIds, tags, limit: MAX_COMPLETIONS });
      return withPageMeta(shown, {});
    },
  }),
  endpoint({
    operationId: 'getSuggestions',
    tag,
    summary: 'Users whom the user may want to follow',
    path: '/_pipit/users/suggestions',
    access: userRead('follows.read'),
    rateLimits: perQuarterHour({ user: 180 }),
    params: {
      max_results: integerParam<number>(1, 50, 10, 'The most users to return.'),
      ...userFieldParams,
    },
    response: listSchema('User'),
    handler: async ({ suggestions, views }, call) =>
      views.users({
        names: await suggestions.of(call.principal.userId, call.params.max_results),
        ...viewOf(call),
      }),
  }),
];

const ofSearch = { id: inPath(idParam<SavedSearchId>('The saved search.')) };

const present = presenter(savedSearchFields, new Set());

const reading = { tag, access: userRead(), rateLimits: perQuarterHour({ user: 180 }) };
const writing = { tag, access: userWrite(), rateLimits: perQuarterHour({ user: 50 }) };

const savedSearches: readonly AnyEndpoint[] = [
  endpoint({
    ...reading,
    operationId: 'getSavedSearches',
    summary: 'The saved searches of the user, newest first',
    path: '/_pipit/saved_searches',
    response: plainListSchema('SavedSearch'),
    handler: async (context, { principal }) => {
      const data = (await context.savedSearches.list(principal.userId)).map(present);
      return withPageMeta(data.length > 0 ? { data } : {}, {});
    },
  }),
  endpoint({
    ...reading,
    operationId: 'getSavedSearch',
    summary: 'A saved search of the user',
    path: '/_pipit/saved_searches/{id}',
    params: ofSearch,
    response: fullObject({ data: ref('SavedSearch') }),
    handler: async (context, { principal, params }) => ({
      data: present(await context.savedSearches.get(principal, params.id)),
    }),
  }),
  endpoint({
    ...writing,
    operationId: 'createSavedSearch',
    summary: 'Saves a search',
    method: 'POST',
    path: '/_pipit/saved_searches',
    body: jsonBody(
      v.object({
        query: v.required(v.text({ min: 1, max: MAX_SAVED_QUERY, pattern: /\S/, example: '#birds' })),
      }),
    ),
    success: 201,
    response: fullObject({ data: ref('SavedSearch') }),
    handler: async (context, { principal, body }) => ({
      data: present(await context.savedSearches.save(principal, body.query)),
    }),
  }),
  changeEndpoint({
    ...writing,
    operationId: 'deleteSavedSearch',
    summary: 'Deletes a saved search of the user; idempotent',
    method: 'DELETE',
    path: '/_pipit/saved_searches/{id}',
    params: ofSearch,
    answers: { deleted: true },
    run: (context, { principal, params }) => context.savedSearches.remove(principal, params.id),
  }),
];

/** Completions, suggestions and saved searches. */
export const findingEndpoints: readonly AnyEndpoint[] = [...found, ...savedSearches];
