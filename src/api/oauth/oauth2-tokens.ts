import type { Grant, GrantDeps } from '../../auth/oauth2/grants.js';
import { OAuthError } from '../../auth/oauth2/oauth-error.js';
import { grantTokens, revokeTokens, type TokenRequest } from '../../auth/oauth2/token-endpoint.js';
import { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { MAX_OAUTH_BODY_BYTES, readOAuthParameters } from './read-parameters.js';

/**
 * Creates `POST /2/oauth2/token` and `/2/oauth2/revoke` (docs/api/authentication.md#tokens,
 * docs/api/authentication.md#revoke).
 */
export function oauth2TokenRoutes(deps: GrantDeps): PlainRoute[] {
  return [
    tokenRoute('/2/oauth2/token', async (request) => presentGrant(await grantTokens(deps, request))),
    tokenRoute('/2/oauth2/revoke', async (request) => {
      await revokeTokens(deps, request);
      return { revoked: true };
    }),
  ];
}

/** Creates a route whose errors have the format of OAuth 2.0 (docs/api/errors.md#oauth-20-errors). */
function tokenRoute(path: string, answer: (request: TokenRequest) => Promise<object>): PlainRoute {
  return {
    method: 'POST',
    path,
    maxBodyBytes: MAX_OAUTH_BODY_BYTES,
    handler: async (request) => {
      try {
        const { authorization } = request.headers;
        return new Answer(
          200,
          await answer({ authorization, parameters: readOAuthParameters(request) }),
          PRAGMA,
        );
      } catch (error) {
        if (error instanceof OAuthError) return presentError(error);
        throw error;
      }
    },
  };
}

/** RFC 6749 5.1; all answers have the other headers anyway. */
const PRAGMA = { pragma: 'no-cache' } as const;

function presentGrant({ accessToken, expiresInSeconds, scopes, refreshToken }: Grant): object {
  return {
    token_type: 'bearer',
    expires_in: expiresInSeconds,
    access_token: accessToken,
    scope: scopes.join(' '),
    refresh_token: refreshToken,
  };
}

function presentError(error: OAuthError): Answer {
  const { status, code, description } = error;
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="pipit"' } : undefined;
  const body = { error: code, error_description: description };
  return new Answer(status, body, { ...PRAGMA, ...challenge }, error);
}
