import type { AppOnly } from '../../auth/app-only.js';
import { OAuthError } from '../../auth/oauth2/oauth-error.js';
import type { OAuthParameters } from '../../auth/oauth2/parameters.js';
import { codedRefusal } from '../../auth/oauth1/refusal.js';
import { Answer } from '../../http/answer.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { codedRoute, signedRequestOf } from './coded-route.js';
import { readOAuthParameters } from './read-parameters.js';

/**
 * Creates `POST /oauth2/token` and `/oauth2/invalidate_token`, for app-only bearer tokens
 * (docs/api/authentication.md#app-only-bearer-token).
 */
export function appOnlyTokenRoutes(appOnly: AppOnly): PlainRoute[] {
  return [
    codedRoute('/oauth2/token', async (request) => {
      const grantType = parametersOf(request).get('grant_type');
      const accessToken = await appOnly.issue(request.headers.authorization, grantType);
      return new Answer(200, { token_type: 'bearer', access_token: accessToken });
    }),
    codedRoute('/oauth2/invalidate_token', async (request) => {
      const token = parametersOf(request).get('access_token');
      return new Answer(200, { access_token: await appOnly.invalidate(signedRequestOf(request), token) });
    }),
  ];
}

function parametersOf(request: PlainRequest): OAuthParameters {
  try {
    return readOAuthParameters(request);
  } catch (error) {
    if (error instanceof OAuthError) throw codedRefusal.credentials();
    throw error;
  }
}
