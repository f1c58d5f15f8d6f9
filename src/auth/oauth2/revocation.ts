import { hashToken } from '../../services/secrets/secrets.js';
import type { App } from '../../stores/apps.js';
import { findTokenHolder } from '../../stores/token-families.js';
import type { GrantDeps } from './issue-tokens.js';
import { refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';

/**
 * Revokes a user's access token of this app, or a refresh token with its access tokens
 * (docs/api/authentication.md#revoke). Throws OAuthError if it is not an active token of this app
 * (docs/api/errors.md#oauth-20-errors).
 */
export async function revokeUserToken(deps: GrantDeps, app: App, parameters: OAuthParameters): Promise<void> {
  const token = required(parameters, 'token');
  await deps.engine.tx('revoke token', async (tx) => {
    const holder = await findTokenHolder(tx, hashToken(token), deps.clock());
    if (holder?.appId !== app.id || holder.isAppOwn) throw refusal.invalidToken();
    await deps.tokens.revoke(token, tx);
  });
}
