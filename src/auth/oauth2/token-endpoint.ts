import { redeemCode, type Grant, type GrantDeps, refreshTokens } from './grants.js';
import { OAuthError, refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';
import { equalsInConstantTime, hashToken } from '../../services/secrets/secrets.js';
import { type App, findAppByClientId, findAppSecrets } from '../../stores/apps.js';
import { findTokenHolder } from '../../stores/token-families.js';
import type { Queryable } from '../../database/engine.js';
import { explained } from '../../core/explanation.js';
import { grantExplanations } from '../diagnosis/explain-grant.js';
import { readBasic } from '../basic.js';

/** A request to the token or revocation endpoint. */
export interface TokenRequest {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly parameters: OAuthParameters;
}

/** Exchanges a code or refresh token for tokens (docs/api/authentication.md#tokens). Throws OAuthError. */
export async function grantTokens(
  deps: GrantDeps,
  { authorization, parameters }: TokenRequest,
): Promise<Grant> {
  const app = await authenticateClient(deps.engine, authorization, parameters);
  switch (required(parameters, 'grant_type')) {
    case 'authorization_code':
      return redeemCode(deps, app, parameters);
    case 'refresh_token':
      return refreshTokens(deps, app, parameters);
    default:
      throw new OAuthError('unsupported_grant_type');
  }
}

/**
 * Revokes a user's access token of the requesting app, or a refresh token with its access tokens
 * (docs/api/authentication.md#revoke). Throws OAuthError if it is not an active token of this app
 * (docs/api/errors.md#oauth-20-errors).
 */
export async function revokeTokens(
  deps: GrantDeps,
  { authorization, parameters }: TokenRequest,
): Promise<void> {
  const app = await authenticateClient(deps.engine, authorization, parameters);
  const token = required(parameters, 'token');
  await deps.engine.tx('revoke token', async (tx) => {
    const holder = await findTokenHolder(tx, hashToken(token), deps.clock());
    if (holder?.appId !== app.id || holder.isAppOwn) {
      throw explained(refusal.invalidToken(), () => grantExplanations.noActiveToken(app));
    }
    await deps.tokens.revoke(token, tx);
  });
}

/**
 * Returns the authenticated app (RFC 6749 2.3, docs/api/authentication.md#client-types). A confidential client sends
 * its secret in a Basic header; a public client has none and sends its `client_id`. Throws
 * `invalid_client` for an unknown client and `unauthorized_client` for a missing or wrong secret, both with 401.
 */
async function authenticateClient(
  db: Queryable,
  authorization: string | undefined,
  parameters: OAuthParameters,
): Promise<App> {
  const basic = readBasic(authorization);
  if (authorization !== undefined && !basic)
    throw explained(refusal.missingSecret(), grantExplanations.otherScheme);
  const named = parameters.get('client_id');
  if (!basic) return requirePublic(await requireClient(db, [required(parameters, 'client_id')]));
  const app = await requireClient(
    db,
    basic.map(({ name }) => name),
  );
  if (named !== undefined && named !== app.clientId) {
    throw explained(
      new OAuthError('invalid_request', 'The parameter [client_id] names another client than the header.'),
      () => grantExplanations.otherClient(app, named),
    );
  }
  const secretHash = (await findAppSecrets(db, app.id))?.clientSecretHash;
  if (!basic.some(({ secret }) => isSecret(secret, secretHash))) {
    throw explained(refusal.missingSecret(), () => grantExplanations.wrongSecret(app));
  }
  return app;
}

function requirePublic(app: App): App {
  if (app.confidential) throw explained(refusal.missingSecret(), () => grantExplanations.noBasic(app));
  return app;
}

async function requireClient(db: Queryable, spellings: readonly string[]): Promise<App> {
  for (const clientId of spellings) {
    const app = await findAppByClientId(db, clientId);
    if (app) return app;
  }
  throw explained(refusal.unknownClient(), () => grantExplanations.unknownClient(spellings[0] ?? ''));
}

/** Checks a secret. A public client that sends a header nevertheless has an empty secret. */
function isSecret(given: string, secretHash: string | undefined): boolean {
  return secretHash === undefined ? given === '' : equalsInConstantTime(hashToken(given), secretHash);
}
