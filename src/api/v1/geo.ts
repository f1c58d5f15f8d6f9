import type { ExactJson } from '../../core/exact-json.js';
import { fullObject, listOf, object, schemaOf } from '../../core/json-schema.js';
import type { Place } from '../../core/post.js';
import { PLACE_TYPES } from '../../services/places/search-places.js';
import { presentPlaceV1 } from '../../views/v1/place.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { answerV1, ENDPOINT_V1, USER_READ_V1 } from './endpoint-v1.js';
import { numberV1Param, sizeParam, textV1Param } from './params.js';
import { refusedV1 } from './refusals.js';

/** See docs/api/v1.md#places. */

const params = {
  query: textV1Param('A part of the name.', 'Manhattan'),
  lat: numberV1Param('The latitude of a point within the place, in degrees.'),
  long: numberV1Param('The longitude of that point.'),
  granularity: textV1Param(
    'The smallest type: `poi`, `neighborhood` (default), `city`, `admin` or `country`.',
  ),
  max_results: sizeParam('The most places.', 100, 20),
};

export const searchGeoV1 = endpoint({
  ...ENDPOINT_V1,
  operationId: 'searchGeoV1',
  tag: 'Places, version 1.1',
  summary: 'Places by name or by a point, smallest first',
  path: '/1.1/geo/search.json',
  access: USER_READ_V1,
  rateLimits: perQuarterHour({ user: 15 }),
  params,
  response: fullObject({
    result: object({ places: listOf(schemaOf('object')) }),
    query: schemaOf('object'),
  }),
  handler: async ({ searchPlaces }, { params: { query, lat, long, granularity, max_results } }) => {
    const point = lat === undefined || long === undefined ? undefined : { latitude: lat, longitude: long };
    if (query === undefined && point === undefined) {
      throw refusedV1(12, 400, 'You must provide valid coordinates, IP address, query, or attributes.');
    }
    const smallest = PLACE_TYPES.find((type) => type === granularity) ?? 'neighborhood';
    const places = await searchPlaces({ text: query, point, smallest, limit: max_results });
    const asked: ExactJson = { type: 'search', params: { query, granularity: smallest } };
    return answerV1({
      result: { places: places.map((place: Place) => presentPlaceV1(place)) },
      query: asked,
    });
  },
});
