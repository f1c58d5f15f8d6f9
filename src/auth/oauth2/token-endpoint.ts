import { redeemCode } from './authorization-code.js';
import { authenticateClient } from './client-authentication.js';
import type { Grant, GrantDeps } from './issue-tokens.js';
import { OAuthError } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';
import { refreshTokens } from './refresh-token.js';
import { revokeUserToken } from './revocation.js';

/** A request to the token or revocation endpoint. */
export interface TokenRequest {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly parameters: OAuthParameters;
}

/** Exchanges a code or refresh token for tokens (docs/api/authentication.md#tokens). Throws OAuthError. */
export async function grantTokens(deps: GrantDeps, request: TokenRequest): Promise<Grant> {
  const { authorization, parameters } = request;
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

/** Revokes a token of the requesting app (docs/api/authentication.md#revoke). Throws OAuthError. */
export async function revokeTokens(deps: GrantDeps, request: TokenRequest): Promise<void> {
  const { authorization, parameters } = request;
  const app = await authenticateClient(deps.engine, authorization, parameters);
  await revokeUserToken(deps, app, parameters);
}
