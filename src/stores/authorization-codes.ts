import type { AppId, UserId } from '../core/ids.js';
import type { Scope } from '../core/scope.js';
import { asId, asNumber, asOptionalNumber, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';
import { decodeScopes } from './tokens.js';

/** How the code challenge is derived from the verifier (RFC 7636 4.2). */
export type ChallengeMethod = 'S256' | 'plain';

/** A user's consent until the app exchanges it for tokens (RFC 6749 4.1.2). */
export interface AuthorizationCode {
  readonly codeHash: string;
  readonly appId: AppId;
  readonly userId: UserId;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
  readonly challengeMethod: ChallengeMethod;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly redeemedAtMs?: number;
}

export async function insertAuthorizationCode(tx: Tx, code: AuthorizationCode): Promise<void> {
  await tx.run(sql`
    INSERT INTO authorization_codes (code_hash, app_id, user_id, redirect_uri, scopes, code_challenge,
      challenge_method, created_at, expires_at)
    VALUES (${code.codeHash}, ${code.appId}, ${code.userId}, ${code.redirectUri}, ${code.scopes.join(' ')},
      ${code.codeChallenge}, ${code.challengeMethod}, ${code.createdAtMs}, ${code.expiresAtMs})`);
}

/** Returns the code with this hash, including redeemed and expired codes. */
export async function findAuthorizationCode(
  db: Queryable,
  codeHash: string,
): Promise<AuthorizationCode | undefined> {
  const row = await db.get(sql`SELECT * FROM authorization_codes WHERE code_hash = ${codeHash}`);
  return (
    row && {
      codeHash,
      appId: asId(row.app_id),
      userId: asId(row.user_id),
      redirectUri: asText(row.redirect_uri),
      scopes: [...decodeScopes(asText(row.scopes))],
      codeChallenge: asText(row.code_challenge),
      challengeMethod: asText(row.challenge_method) as ChallengeMethod,
      createdAtMs: asNumber(row.created_at),
      expiresAtMs: asNumber(row.expires_at),
      redeemedAtMs: asOptionalNumber(row.redeemed_at),
    }
  );
}

/** Redeems a code. Only one of several concurrent callers gets true. */
export async function redeemAuthorizationCode(tx: Tx, codeHash: string, nowMs: number): Promise<boolean> {
  const redeemed = await tx.run(sql`
    UPDATE authorization_codes SET redeemed_at = ${nowMs}
    WHERE code_hash = ${codeHash} AND redeemed_at IS NULL`);
  return redeemed === 1;
}
