import type { CommunityId } from '../../core/ids.js';
import { notFoundError, wantedOf } from '../../views/present/partial-errors.js';
import { communityFields } from '../../views/wire/community.js';
import { presenter } from '../../views/wire/presenter.js';
import { type AnyEndpoint, endpoint, perQuarterHour, publicRead, userRead } from '../endpoint.js';
import { pagedEndpoint, searchPageParams } from '../paged-endpoint.js';
import { COMMUNITY_FIELDS } from '../params/fields.js';
import { fieldsParam } from '../params/families.js';
import { idParam, inPath, required, textParam } from '../params/params.js';
import { singleSchema } from '../schemas/envelopes.js';

/** See docs/api/communities.md. */

const tag = 'Communities';
const page = { min: 10, max: 100, default: 10 } as const;
const fields = {
  'community.fields': fieldsParam(COMMUNITY_FIELDS, 'communities'),
};

export const communityEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    operationId: 'searchCommunities',
    tag,
    summary: 'Communities whose name or description has all words of a query, newest first',
    path: '/2/communities/search',
    access: userRead(),
    rateLimits: perQuarterHour({ user: 300 }),
    params: {
      query: required(textParam('Words of the name or description.', { max: 4096, example: 'birds' })),
      next_token: searchPageParams(page).next_token,
      ...fields,
    },
    page,
    component: 'Community',
    forwardOnly: true,
    list: ({ communities }, { params }, request) => communities.search(params.query, request),
    show: async ({ communities }, { params }, ids: readonly CommunityId[]) => {
      const found = await communities.findAll(ids);
      return found.length > 0
        ? { data: found.map(presenter(communityFields, params['community.fields'])) }
        : {};
    },
  }),
  endpoint({
    operationId: 'getCommunitiesById',
    tag,
    summary: 'One community by its id',
    path: '/2/communities/{id}',
    access: publicRead('list.read'),
    rateLimits: perQuarterHour({ app: 300, user: 300 }),
    params: { id: inPath(idParam<CommunityId>('The community.')), ...fields },
    response: singleSchema('Community'),
    handler: async ({ communities }, { params, rawPath }) => {
      const community = await communities.find(params.id);
      if (!community) return { errors: [notFoundError(wantedOf('community', {}, rawPath['id'] ?? ''))] };
      return { data: presenter(communityFields, params['community.fields'])(community) };
    },
  }),
];
