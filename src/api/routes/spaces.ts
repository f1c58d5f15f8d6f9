import type { UserId } from '../../core/ids.js';
import { SPACE_ID_PATTERN, type SpaceId } from '../../core/space.js';
import {
  publicRead,
  userRead,
  type AnyEndpoint,
  type Call,
  endpoint,
  onceASecond,
  perQuarterHour,
} from '../endpoint.js';
import type { ApiContext } from '../context.js';
import { withPageMeta } from '../paging.js';
import { spaceFieldParams, userWithPostFieldParams } from '../params/families.js';
import {
  choiceParam,
  idListParam,
  integerParam,
  patternListParam,
  required,
  textParam,
} from '../params/params.js';
import { listSchema, pageSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { ofSpace, ownedPage, posts, spaceInPath, users } from './owned-page.js';

/** See docs/api/spaces.md. */

const EXAMPLE = '1DXxyRYNejbKM';
const read = {
  tag: 'Spaces',
  access: publicRead('space.read'),
  rateLimits: perQuarterHour({ app: 300, user: 300 }),
};

/** The common part of both collection forms: each accepts either parameter, and exactly one of them. */
const collection = {
  ...read,
  params: {
    ids: patternListParam(SPACE_ID_PATTERN, 'The Spaces by id; exactly one of `ids` or `user_ids`.', EXAMPLE),
    user_ids: idListParam<UserId>('The creators of the Spaces; exactly one of `ids` or `user_ids`.'),
    ...spaceFieldParams,
  },
} as const;

async function viewCollection(
  { spaces, views }: ApiContext,
  call: Call<typeof read.access, typeof collection.params, undefined>,
) {
  const { ids, user_ids: creatorIds = [] } = call.params;
  if (ids) return views.spaces({ ids: ids as SpaceId[], parameter: 'ids', ...viewOf(call) });
  const found = await spaces.listByCreators(creatorIds);
  return views.spacesOfCreators({ ids: found, creatorIds, ...lookupOf(call, 'user_ids') });
}

export const spaceEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...read,
    operationId: 'searchSpaces',
    summary: 'Live and scheduled Spaces whose title contains all words of a query, live ones first',
    path: '/2/spaces/search',
    params: {
      query: required(
        textParam('Words of the title, including hashtags and mentions.', { max: 2048, example: 'birds' }),
      ),
      state: choiceParam(['live', 'scheduled', 'all'], 'all', 'The state of the Spaces to return.'),
      max_results: integerParam<number>(1, 100, 100, 'The maximum number of results.'),
      ...spaceFieldParams,
    },
    response: pageSchema('Space'),
    handler: async ({ spaces, views }, call) => {
      const { query, state, max_results: limit } = call.params;
      const ids = await spaces.search(query, state);
      return withPageMeta(await views.spaces({ ids, limit, ...viewOf(call) }), {});
    },
  }),
  endpoint({
    ...collection,
    operationId: 'findSpacesByIds',
    summary: 'Up to 100 Spaces by their ids',
    path: '/2/spaces',
    exactlyOneOf: ['ids', 'user_ids'],
    response: listSchema('Space'),
    handler: viewCollection,
  }),
  endpoint({
    ...collection,
    operationId: 'findSpacesByCreatorIds',
    summary: 'The live and scheduled Spaces of up to 100 users',
    path: '/2/spaces/by/creator_ids',
    rateLimits: [...read.rateLimits, onceASecond('app'), onceASecond('user')],
    exactlyOneOf: ['user_ids', 'ids'],
    response: pageSchema('Space'),
    handler: async (context, call) => withPageMeta(await viewCollection(context, call), {}),
  }),
  endpoint({
    ...read,
    operationId: 'findSpaceById',
    summary: 'One Space by its id',
    path: '/2/spaces/{id}',
    params: { ...spaceInPath, ...spaceFieldParams },
    response: singleSchema('Space'),
    handler: ({ views }, call) => views.space({ ids: [call.params.id], parameter: 'id', ...viewOf(call) }),
  }),
  ownedPage(
    ofSpace,
    { ...users, params: userWithPostFieldParams },
    {
      ...read,
      operationId: 'spaceBuyers',
      summary: 'The buyers of tickets to a Space of the user, newest first',
      path: '/2/spaces/{id}/buyers',
      access: userRead('space.read'),
      list: ({ spaces }, { principal, params }, page) => spaces.listBuyers(principal, params.id, page),
    },
  ),
  ownedPage(ofSpace, posts, {
    ...read,
    operationId: 'spaceTweets',
    summary: 'The posts shared in a Space, newest first',
    path: '/2/spaces/{id}/tweets',
    list: ({ spaces }, { params }, page) => spaces.listPosts(params.id, page),
  }),
];
