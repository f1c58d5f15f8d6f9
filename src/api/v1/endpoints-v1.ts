import type { AnyEndpoint } from '../endpoint.js';
import { accountV1Endpoints } from './account.js';
import { favoriteEndpoints } from './favorites.js';
import { searchGeoV1 } from './geo.js';
import { relationV1Endpoints } from './relations.js';
import { searchV1 } from './search.js';
import { statusEndpoints } from './statuses.js';
import { timelineV1Endpoints } from './timelines.js';
import { userV1Endpoints } from './users.js';

/** The endpoints of v1.1 that clients of before v2 use, beside uploads and sign-in (docs/api/v1.md). */
export const endpointsV1: readonly AnyEndpoint[] = [
  ...statusEndpoints,
  ...timelineV1Endpoints,
  searchV1,
  ...favoriteEndpoints,
  ...userV1Endpoints,
  ...accountV1Endpoints,
  ...relationV1Endpoints,
  searchGeoV1,
];
