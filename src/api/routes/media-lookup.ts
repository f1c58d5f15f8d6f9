import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { mediaFieldParams } from '../params/families.js';
import { inPath, patternListParam, patternParam, required } from '../params/params.js';
import { listSchema, singleSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';

/** Lookup of media by key; see docs/api/limits.md#monthly-post-cap. */

const lookup = {
  tag: 'Media',
  access: { contexts: ['app', 'oauth1', 'oauth2'], scopes: ['tweet.read'] },
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
} as const;

/** See docs/api/requests.md#parameters; the digits are an id. */
const MEDIA_KEY = /^([0-9]{1,3})_([0-9]{1,19})$/;
const EXAMPLE = '3_1346889436626259968';

export const mediaLookupEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...lookup,
    operationId: 'getMediaByMediaKey',
    summary: 'One media object by its key',
    path: '/2/media/{media_key}',
    params: { media_key: inPath(patternParam(MEDIA_KEY, 'The media.', EXAMPLE)), ...mediaFieldParams },
    response: singleSchema('Media'),
    handler: ({ views }, call) =>
      views.mediaObject({ keys: [call.params.media_key], parameter: 'media_key', ...viewOf(call) }),
  }),
  endpoint({
    ...lookup,
    operationId: 'getMediaByMediaKeys',
    summary: 'Up to 100 media objects by their keys',
    path: '/2/media',
    params: {
      media_keys: required(patternListParam(MEDIA_KEY, 'The media.', EXAMPLE)),
      ...mediaFieldParams,
    },
    response: listSchema('Media'),
    handler: ({ views }, call) =>
      views.mediaObjects({ keys: call.params.media_keys, parameter: 'media_keys', ...viewOf(call) }),
  }),
];
