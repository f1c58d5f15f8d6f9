import type { AuthRequest } from '../../auth/auth-request.js';
import { CodedRefusal, codedRefusal } from '../../auth/oauth1/refusal.js';
import { Answer } from '../../http/answer.js';
import { isForm } from '../../http/request-parts.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { MAX_OAUTH_BODY_BYTES, readOAuthParameters } from './read-parameters.js';
import type { AppOnly } from '../../auth/app-only.js';
import { OAuthError } from '../../auth/oauth2/oauth-error.js';
import type { OAuthParameters } from '../../auth/oauth2/parameters.js';
import type { Authenticator } from '../../auth/authenticate.js';
import type { ClientAddress } from '../../auth/client-address.js';
import { readProtocol } from '../../auth/oauth1/protocol.js';
import type { ThreeLegs } from '../../auth/oauth1/three-legs.js';
import type { TokenService } from '../../services/apps/tokens.js';

/**
 * Creates a route of OAuth 1.0a or app-only tokens, whose errors are codes with messages
 * (docs/api/errors.md#v11-errors).
 */
function codedRoute(path: string, handler: (request: PlainRequest) => Promise<Answer>): PlainRoute {
  return {
    method: 'POST',
    path,
    maxBodyBytes: MAX_OAUTH_BODY_BYTES,
    errorStyle: 'v1',
    handler: async (request) => {
      try {
        return await handler(request);
      } catch (error) {
        if (error instanceof CodedRefusal) return presentRefusal(error);
        throw error;
      }
    },
  };
}

function presentRefusal(refusal: CodedRefusal): Answer {
  const { status, code, message, label } = refusal;
  return new Answer(status, { errors: [{ code, message, label }] }, {}, refusal);
}

/** Converts a plain request for the verification of signatures. */
function signedRequestOf(request: PlainRequest): AuthRequest {
  return {
    ...request,
    formBody: isForm(request.headers['content-type']) ? request.body.toString() : undefined,
  };
}

/** Returns an answer in the format of a query string, as in OAuth 1.0a. */
function formAnswer(fields: Readonly<Record<string, string>>): Answer {
  return new Answer(200, new URLSearchParams(fields).toString(), {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}

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

export interface OAuth1RouteDeps {
  readonly legs: ThreeLegs;
  readonly authenticator: Authenticator;
  readonly tokens: TokenService;
  readonly addressOf: ClientAddress;
}

/** Creates the routes that issue and revoke OAuth 1.0a tokens (docs/api/authentication.md#three-legged-flow). */
export function oauth1TokenRoutes({ legs, authenticator, tokens, addressOf }: OAuth1RouteDeps): PlainRoute[] {
  const invalidate = async (request: PlainRequest): Promise<Answer> => {
    const signed = signedRequestOf(request);
    const principal = await authenticator.authenticate(signed);
    if (principal.context !== 'oauth1') throw codedRefusal.access();
    const { token = '' } = readProtocol(signed);
    await tokens.revoke(token);
    return new Answer(200, { access_token: token });
  };
  return [
    codedRoute('/oauth/request_token', async (request) => {
      const { token, secret } = await legs.request(signedRequestOf(request), addressOf(request));
      return formAnswer({
        oauth_token: token,
        oauth_token_secret: secret,
        oauth_callback_confirmed: 'true',
      });
    }),
    codedRoute('/oauth/access_token', async (request) => {
      const issued = await legs.exchange(signedRequestOf(request), addressOf(request));
      return formAnswer({
        oauth_token: issued.accessToken,
        oauth_token_secret: issued.accessTokenSecret,
        user_id: String(issued.userId),
        screen_name: issued.username,
      });
    }),
    codedRoute('/1.1/oauth/invalidate_token', invalidate),
    codedRoute('/1.1/oauth/invalidate_token.json', invalidate),
  ];
}
