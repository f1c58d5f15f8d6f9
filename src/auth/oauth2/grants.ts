import type { Scope } from '../../core/access.js';
import type { NewOAuth2Token } from '../../services/apps/tokens.js';
import type { Tx } from '../../database/engine.js';
import { findUser } from '../../stores/users.js';
import { hashToken } from '../../services/secrets/secrets.js';
import type { App } from '../../stores/apps.js';
import {
  findAuthorizationCode,
  redeemAuthorizationCode,
  type AuthorizationCode,
} from '../../stores/authorization-codes.js';
import {
  revokeFamily,
  findRefreshToken,
  REFRESH_IDLE_MS,
  useRefreshToken,
} from '../../stores/token-families.js';
import { OAuthError, refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';
import { verifies } from './pkce.js';
import { type Explain, explained } from '../../core/explanation.js';
import { grantExplanations } from '../diagnosis/explain-grant.js';
import type { AccountDeps } from '../../services/accounts/account-deps.js';

export type GrantDeps = Pick<AccountDeps, 'engine' | 'clock' | 'tokens'>;

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
async function issueTokens(deps: GrantDeps, tx: Tx, input: NewOAuth2Token): Promise<Grant | undefined> {
  const user = await findUser(tx, input.userId);
  if (!user || user.suspended) return undefined;
  const { accessToken, expiresInSeconds, refreshToken } = await deps.tokens.issueOAuth2(input, tx);
  return { accessToken, expiresInSeconds, scopes: input.scopes, refreshToken };
}

/** Runs a grant in a transaction. Throws its OAuthError after the commit: a rollback would undo a revocation. */
async function grantIn(
  { engine }: GrantDeps,
  name: string,
  grant: (tx: Tx) => Promise<Grant | OAuthError>,
): Promise<Grant> {
  const outcome = await engine.tx(name, grant);
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

interface Redemption {
  readonly codeHash: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/**
 * Handles the grant type `authorization_code` (RFC 6749 4.1.3, RFC 7636 4.6). A second use of a code indicates theft
 * and revokes all its tokens (RFC 6749 4.1.2). Throws OAuthError.
 */
export async function redeemCode(deps: GrantDeps, app: App, parameters: OAuthParameters): Promise<Grant> {
  const redemption = {
    codeHash: hashToken(required(parameters, 'code')),
    redirectUri: required(parameters, 'redirect_uri'),
    verifier: required(parameters, 'code_verifier'),
  };
  return grantIn(deps, 'redeem authorization code', (tx) => redeem(deps, tx, app, redemption));
}

async function redeem(
  deps: GrantDeps,
  tx: Tx,
  app: App,
  { codeHash, redirectUri, verifier }: Redemption,
): Promise<Grant | OAuthError> {
  const nowMs = deps.clock();
  const code = await findAuthorizationCode(tx, codeHash);
  if (!code) return explained(refusal.invalidCode(), () => grantExplanations.unknownCode(app));
  if (code.appId !== app.id) {
    return explained(refusal.invalidCode(), () => grantExplanations.otherAppsCode(app));
  }
  if (code.redeemedAtMs === undefined) {
    const fault = faultOf(code, redirectUri, verifier, nowMs);
    if (fault) return fault;
  }
  if (!(await redeemAuthorizationCode(tx, nowMs, codeHash))) {
    await revokeFamily(tx, codeHash, nowMs);
    return explained(refusal.invalidCode(), () => grantExplanations.usedCode(code, nowMs));
  }
  const { userId, scopes } = code;
  const grant = await issueTokens(deps, tx, { appId: app.id, userId, scopes, family: codeHash });
  return grant ?? explained(refusal.invalidCode(), () => grantExplanations.noUser(app));
}

function faultOf(
  code: AuthorizationCode,
  redirectUri: string,
  verifier: string,
  nowMs: number,
): OAuthError | undefined {
  if (code.expiresAtMs <= nowMs) {
    return explained(refusal.invalidCode(), () => grantExplanations.expiredCode(code, nowMs));
  }
  if (code.redirectUri !== redirectUri) {
    return explained(refusal.redirectUriMismatch(), () =>
      grantExplanations.otherRedirectUri(code, redirectUri),
    );
  }
  if (verifies(verifier, code)) return undefined;
  return explained(refusal.verifierMismatch(), () => grantExplanations.wrongVerifier(code, verifier));
}

/**
 * Handles the grant type `refresh_token` (RFC 6749 6): exchanges the token for a new pair. A second use means that
 * the token has two holders, so every token of its consent is revoked (RFC 6749 10.4). Throws OAuthError.
 */
export async function refreshTokens(deps: GrantDeps, app: App, parameters: OAuthParameters): Promise<Grant> {
  const tokenHash = hashToken(required(parameters, 'refresh_token'));
  return grantIn(deps, 'refresh tokens', (tx) => refresh(deps, tx, app, tokenHash));
}

async function refresh(deps: GrantDeps, tx: Tx, app: App, tokenHash: string): Promise<Grant | OAuthError> {
  const nowMs = deps.clock();
  const token = await findRefreshToken(tx, tokenHash);
  const refuse = (why: Explain): OAuthError => explained(refusal.invalidToken(), why);
  if (!token) return refuse(() => grantExplanations.unknownRefresh(app));
  if (token.appId !== app.id) return refuse(() => grantExplanations.otherAppsRefresh(app));
  const family = token.family ?? tokenHash;
  if (token.revokedAtMs === undefined) {
    const idleAtMs = token.createdAtMs + REFRESH_IDLE_MS;
    if (idleAtMs <= nowMs) return refuse(() => grantExplanations.idleRefresh(app, idleAtMs, nowMs));
    // Refused but not redeemed: it works again when the account is restored.
    if ((await findUser(tx, token.userId))?.suspended !== false) {
      return refuse(() => grantExplanations.noUser(app));
    }
  }
  if (!(await useRefreshToken(tx, tokenHash, nowMs))) {
    await revokeFamily(tx, family, nowMs);
    return refuse(() => grantExplanations.usedRefresh(app, token.revokedAtMs ?? nowMs, nowMs));
  }
  const { userId, scopes, permission } = token;
  const grant = await issueTokens(deps, tx, { appId: app.id, userId, scopes, atMost: permission, family });
  return grant ?? refuse(() => grantExplanations.noUser(app));
}
