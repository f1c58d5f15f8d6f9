import type { UserId } from '../../core/ids.js';
import { type App, findAppByClientId } from '../../stores/apps.js';
import { answerUri } from '../answer-uri.js';
import type { GrantDeps } from './grants.js';
import { explained } from '../../core/explanation.js';
import { grantExplanations } from '../diagnosis/explain-grant.js';
import { OAuthError } from './oauth-error.js';
import { invalidRequest } from '../../core/errors.js';
import { isScope, type Scope } from '../../core/access.js';
import type { Queryable } from '../../database/engine.js';
import { type OAuthParameters, required } from './parameters.js';
import { readChallenge, type Challenge } from './pkce.js';
import { lockActiveAccount } from '../../services/accounts/authority.js';
import { generate, hashToken } from '../../services/secrets/secrets.js';
import { insertAuthorizationCode } from '../../stores/authorization-codes.js';

/** docs/api/authentication.md#tokens. */
const CODE_LIFETIME_SECONDS = 30;

/** The maximum length in characters (docs/api/authentication.md#authorize). */
const MAX_STATE_LENGTH = 500;

/** A validated redirect target of an app, whatever else the request contains. */
interface AuthorizationTarget {
  readonly app: App;
  readonly redirectUri: string;
  /** Returned unchanged. */
  readonly state: string | undefined;
}

/** A request of an app for a user's consent. */
export interface AuthorizationRequest extends AuthorizationTarget, Challenge {
  readonly scopes: readonly Scope[];
}

/** A request for the user's decision, or an error of the app with the redirect that reports it. */
type ReadAuthorization =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'refused'; readonly app: App; readonly reason: string; readonly location: string };

export type AuthorizationEndpoint = ReturnType<typeof createAuthorizationEndpoint>;

/** Creates the authorization endpoint without its pages (docs/api/authentication.md#authorize). */
export function createAuthorizationEndpoint(deps: GrantDeps) {
  return {
    /** Reads an authorization request. Throws PipitError `invalid-request` if there is no valid redirect URI. */
    read: async (query: URLSearchParams): Promise<ReadAuthorization> => {
      const target = await readTarget(deps.engine, query);
      try {
        return { kind: 'request', request: readRequest(target, new Map(query)) };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const { code, description } = error;
        const parameters = { error: code, error_description: description, state: target.state };
        const location = answerUri(target.redirectUri, parameters);
        return { kind: 'refused', app: target.app, reason: description ?? code, location };
      }
    },
    /** Records the user's consent. Returns where to redirect the browser. */
    approve: async (request: AuthorizationRequest, userId: UserId) => {
      const code = await issueCode(deps, request, userId);
      return answerUri(request.redirectUri, { state: request.state, code });
    },
    /** Returns where to redirect the browser after the user declined. */
    deny: ({ redirectUri, state }: AuthorizationRequest) =>
      answerUri(redirectUri, { error: 'access_denied', state }),
  };
}

/**
 * Validates the redirect target (RFC 6749 3.1.2.4). Without one nothing may be redirected: throws PipitError
 * `invalid-request`, to be shown on a page, for a duplicate parameter, an unknown client or a redirect URI that is
 * not exactly one of the client's.
 */
async function readTarget(db: Queryable, query: URLSearchParams): Promise<AuthorizationTarget> {
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) {
      throw invalidRequest(name, query.getAll(name), `The parameter \`${name}\` is there twice.`);
    }
  }
  const clientId = query.get('client_id') ?? '';
  const app = await findAppByClientId(db, clientId);
  if (!app) {
    throw explained(
      invalidRequest('client_id', [clientId], 'No app has the `client_id` of this request.'),
      () => grantExplanations.unknownClient(clientId),
    );
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!app.redirectUris.includes(redirectUri)) {
    throw explained(
      invalidRequest(
        'redirect_uri',
        [redirectUri],
        'The `redirect_uri` of this request is not one that the app has registered.',
      ),
      () => grantExplanations.unregisteredRedirectUri(app, redirectUri),
    );
  }
  return { app, redirectUri, state: query.get('state') ?? undefined };
}

/** Reads the rest of the request. Throws OAuthError, which is reported at the app's redirect URI. */
function readRequest(target: AuthorizationTarget, parameters: OAuthParameters): AuthorizationRequest {
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

/**
 * Returns the distinct scopes that an app requests (docs/api/authentication.md#scopes). Throws
 * `invalid_scope` for an unknown one.
 */
function readScopes(parameters: OAuthParameters): readonly Scope[] {
  const names = [...new Set(required(parameters, 'scope').split(/[ +]+/))].filter((name) => name !== '');
  const scopes = names.filter(isScope);
  if (scopes.length < names.length || scopes.length === 0) {
    throw new OAuthError('invalid_scope', 'Value passed for the scope holds an unknown scope.');
  }
  return scopes;
}

/**
 * Records a user's consent and returns the code that the app can redeem. Throws PipitError `forbidden` if the user
 * was suspended or deleted meanwhile.
 */
async function issueCode(
  { engine, clock }: GrantDeps,
  { app, redirectUri, scopes, codeChallenge, challengeMethod }: AuthorizationRequest,
  userId: UserId,
): Promise<string> {
  const code = generate.authorizationCode();
  const createdAtMs = clock();
  await engine.tx('issue authorization code', async (tx) => {
    await lockActiveAccount(tx, userId);
    await insertAuthorizationCode(tx, {
      codeHash: hashToken(code),
      appId: app.id,
      userId,
      redirectUri,
      scopes,
      codeChallenge,
      challengeMethod,
      createdAtMs,
      expiresAtMs: createdAtMs + CODE_LIFETIME_SECONDS * 1000,
    });
  });
  return code;
}
