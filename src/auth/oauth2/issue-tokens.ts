import type { Clock } from '../../core/clock.js';
import type { Scope } from '../../core/scope.js';
import type { NewOAuth2Token, TokenService } from '../../services/apps/tokens.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findUser } from '../../stores/users.js';

export interface GrantDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tokens: TokenService;
}

/** The tokens granted to an app (RFC 6749 5.1). */
export interface Grant {
  readonly accessToken: string;
  readonly expiresInSeconds: number | undefined;
  readonly scopes: readonly Scope[];
  /** With the scope `offline.access`. */
  readonly refreshToken: string | undefined;
}

/**
 * Issues an access token, and a refresh token if the scopes include it. Returns undefined if the user is deleted or
 * suspended.
 */
export async function issueTokens(
  deps: GrantDeps,
  tx: Tx,
  input: NewOAuth2Token,
): Promise<Grant | undefined> {
  const user = await findUser(tx, input.userId);
  if (!user || user.suspended) return undefined;
  const { accessToken, expiresInSeconds, refreshToken } = await deps.tokens.issueOAuth2(input, tx);
  return { accessToken, expiresInSeconds, scopes: input.scopes, refreshToken };
}
