import { resourceNotFound } from '../../core/errors.js';
import { Answer } from '../../http/answer.js';
import { objectSchema } from '../../views/wire/field.js';
import { writeExactJson } from '../../core/exact-json.js';
import { userV1Fields } from '../../views/v1/user.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { JSON_TYPE } from '../../http/problems.js';

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
  response: objectSchema(userV1Fields),
  handler: async ({ views }, { principal }) => {
    const { userId } = principal;
    const shown = await views.userV1(userId);
    if (!shown) throw resourceNotFound({ resourceType: 'user', parameter: 'id', value: String(userId) });
    return new Answer(200, writeExactJson(shown), { 'content-type': JSON_TYPE });
  },
});
