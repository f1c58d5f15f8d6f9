import { invalidRequest } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import { findAppByClientId, type App } from '../../stores/apps.js';
import type { Queryable } from '../../database/engine.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthParameters } from './parameters.js';
import { required } from './parameters.js';
import { readChallenge, type Challenge } from './pkce.js';
import { readScopes } from './requested-scopes.js';

/** The maximum length in characters (docs/api/authentication.md#authorize). */
const MAX_STATE_LENGTH = 500;

/** A validated redirect target of an app, whatever else the request contains. */
export interface AuthorizationTarget {
  readonly app: App;
  readonly redirectUri: string;
  /** Returned unchanged. */
  readonly state: string | undefined;
}

/** A request of an app for a user's consent. */
export interface AuthorizationRequest extends AuthorizationTarget, Challenge {
  readonly scopes: readonly Scope[];
}

/**
 * Validates the redirect target (RFC 6749 3.1.2.4). Without one nothing may be redirected: throws PipitError
 * `invalid-request`, to be shown on a page, for a duplicate parameter, an unknown client or a redirect URI that is
 * not exactly one of the client's.
 */
export async function readTarget(db: Queryable, query: URLSearchParams): Promise<AuthorizationTarget> {
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) {
      throw invalidRequest(name, query.getAll(name), `The parameter \`${name}\` is there twice.`);
    }
  }
  const clientId = query.get('client_id') ?? '';
  const app = await findAppByClientId(db, clientId);
  if (!app) {
    throw invalidRequest('client_id', [clientId], 'No app has the `client_id` of this request.');
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!app.redirectUris.includes(redirectUri)) {
    throw invalidRequest(
      'redirect_uri',
      [redirectUri],
      'The `redirect_uri` of this request is not one that the app has registered.',
    );
  }
  return { app, redirectUri, state: query.get('state') ?? undefined };
}

/** Reads the rest of the request. Throws OAuthError, which is reported at the app's redirect URI. */
export function readRequest(target: AuthorizationTarget, parameters: OAuthParameters): AuthorizationRequest {
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'Value passed for the response type must be code.');
  }
  if ([...required(parameters, 'state')].length > MAX_STATE_LENGTH) {
    throw new OAuthError(
      'invalid_request',
      `Value passed for the state is longer than ${MAX_STATE_LENGTH} characters.`,
    );
  }
  return { ...target, scopes: readScopes(parameters), ...readChallenge(parameters) };
}
