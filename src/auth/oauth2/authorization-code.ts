import type { UserId } from '../../core/ids.js';
import { lockActiveAccount } from '../../services/accounts/authority.js';
import { generate, hashToken } from '../../services/secrets/secrets.js';
import type { App } from '../../stores/apps.js';
import {
  findAuthorizationCode,
  insertAuthorizationCode,
  redeemAuthorizationCode,
  type AuthorizationCode,
} from '../../stores/authorization-codes.js';
import type { Tx } from '../../database/engine.js';
import { revokeFamily } from '../../stores/token-families.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { issueTokens, type Grant, type GrantDeps } from './issue-tokens.js';
import { OAuthError, refusal } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';
import { verifies } from './pkce.js';

/** docs/api/authentication.md#tokens. */
const CODE_LIFETIME_SECONDS = 30;

/**
 * Records a user's consent and returns the code that the app can redeem. Throws PipitError `forbidden` if the user
 * was suspended or deleted meanwhile.
 */
export async function issueCode(
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
  const outcome = await deps.engine.tx('redeem authorization code', (tx) =>
    redeem(deps, tx, app, redemption),
  );
  // An error thrown in the transaction would roll back the revocation.
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

async function redeem(
  deps: GrantDeps,
  tx: Tx,
  app: App,
  { codeHash, redirectUri, verifier }: Redemption,
): Promise<Grant | OAuthError> {
  const nowMs = deps.clock();
  const code = await findAuthorizationCode(tx, codeHash);
  if (code?.appId !== app.id) return refusal.invalidCode();
  if (code.redeemedAtMs === undefined) {
    const fault = faultOf(code, redirectUri, verifier, nowMs);
    if (fault) return fault;
  }
  if (!(await redeemAuthorizationCode(tx, codeHash, nowMs))) {
    await revokeFamily(tx, codeHash, nowMs);
    return refusal.invalidCode();
  }
  const { userId, scopes } = code;
  const grant = await issueTokens(deps, tx, { appId: app.id, userId, scopes, family: codeHash });
  return grant ?? refusal.invalidCode();
}

function faultOf(
  code: AuthorizationCode,
  redirectUri: string,
  verifier: string,
  nowMs: number,
): OAuthError | undefined {
  if (code.expiresAtMs <= nowMs) return refusal.invalidCode();
  if (code.redirectUri !== redirectUri) return refusal.redirectUriMismatch();
  return verifies(verifier, code) ? undefined : refusal.verifierMismatch();
}
