import { resourceNotFound } from '../../core/errors.js';
import { ref } from '../../core/json-schema.js';
import { answerV1 } from '../v1/endpoint-v1.js';
import { endpoint, perQuarterHour } from '../endpoint.js';

/**
 * The v1.1 endpoint that clients call after signing in (docs/api/limits.md#monthly-post-cap). Apps of Essential
 * access may not use v1.1 (docs/api/authentication.md#levels-and-tracks).
 */
export const verifyCredentials = endpoint({
  operationId: 'verifyCredentials',
  tag: 'Accounts, version 1.1',
  summary: 'The authenticated user, in the v1.1 format',
  path: '/1.1/account/verify_credentials.json',
  access: { contexts: ['oauth1'], levels: ['elevated', 'basic'] },
  errorStyle: 'v1',
  rateLimits: perQuarterHour({ user: 75 }),
  openQuery: true,
  response: ref('UserV1'),
  handler: async ({ views }, { principal }) => {
    const { userId } = principal;
    const shown = await views.userV1(userId);
    if (!shown) throw resourceNotFound({ resourceType: 'user', parameter: 'id', value: String(userId) });
    return answerV1(shown);
  },
});
