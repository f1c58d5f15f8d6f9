import { hashToken } from '../../services/secrets/secrets.js';
import type { App } from '../../stores/apps.js';
import type { Tx } from '../../database/engine.js';
import {
  findRefreshToken,
  REFRESH_IDLE_MS,
  revokeFamily,
  useRefreshToken,
} from '../../stores/token-families.js';
import { findUser } from '../../stores/users.js';
import { issueTokens, type Grant, type GrantDeps } from './issue-tokens.js';
import { OAuthError, refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';

/**
 * Handles the grant type `refresh_token` (RFC 6749 6): exchanges the token for a new pair. A second use means that
 * the token has two holders, so every token of its consent is revoked (RFC 6749 10.4). Throws OAuthError.
 */
export async function refreshTokens(deps: GrantDeps, app: App, parameters: OAuthParameters): Promise<Grant> {
  const tokenHash = hashToken(required(parameters, 'refresh_token'));
  const outcome = await deps.engine.tx('refresh tokens', (tx) => refresh(deps, tx, app, tokenHash));
  // An error thrown in the transaction would roll back the revocation.
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

async function refresh(deps: GrantDeps, tx: Tx, app: App, tokenHash: string): Promise<Grant | OAuthError> {
  const nowMs = deps.clock();
  const token = await findRefreshToken(tx, tokenHash);
  if (token?.appId !== app.id) return refusal.invalidToken();
  const family = token.family ?? tokenHash;
  if (token.revokedAtMs === undefined) {
    if (token.createdAtMs + REFRESH_IDLE_MS <= nowMs) return refusal.invalidToken();
    // Refused but not redeemed: it works again when the account is restored.
    if ((await findUser(tx, token.userId))?.suspended !== false) return refusal.invalidToken();
  }
  if (!(await useRefreshToken(tx, tokenHash, nowMs))) {
    await revokeFamily(tx, family, nowMs);
    return refusal.invalidToken();
  }
  const { userId, scopes, permission } = token;
  const grant = await issueTokens(deps, tx, { appId: app.id, userId, scopes, atMost: permission, family });
  return grant ?? refusal.invalidToken();
}
