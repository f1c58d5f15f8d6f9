import type { Permission } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId, asOptionalText, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** A pending OAuth 1.0a sign-in (docs/api/authentication.md#three-legged-flow). */
export interface RequestToken {
  readonly token: string;
  readonly appId: AppId;
  readonly secretSealed: string;
  /** A registered URI, or `oob`. */
  readonly callback: string;
  /** The permission that the app requests. */
  readonly permission: Permission;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The user who consented. */
  readonly userId?: UserId;
  readonly verifierHash?: string;
  /** The number of wrong verifiers submitted. */
  readonly failures: number;
}

export async function insertRequestToken(tx: Tx, token: RequestToken): Promise<void> {
  await tx.run(sql`
    INSERT INTO request_tokens (token, app_id, secret_sealed, callback, permission, created_at, expires_at, failures)
    VALUES (${token.token}, ${token.appId}, ${token.secretSealed}, ${token.callback}, ${token.permission},
      ${token.createdAtMs}, ${token.expiresAtMs}, 0)`);
}

/** Returns the request token unless it has expired. */
export async function findRequestToken(
  db: Queryable,
  token: string,
  nowMs: number,
): Promise<RequestToken | undefined> {
  const row = await db.get(sql`
    SELECT * FROM request_tokens WHERE token = ${token} AND expires_at > ${nowMs}`);
  return (
    row && {
      token,
      appId: asId(row.app_id),
      secretSealed: asText(row.secret_sealed),
      callback: asText(row.callback),
      permission: asText(row.permission) as Permission,
      createdAtMs: asNumber(row.created_at),
      expiresAtMs: asNumber(row.expires_at),
      userId: asOptionalId(row.user_id),
      verifierHash: asOptionalText(row.verifier_hash),
      failures: asNumber(row.failures),
    }
  );
}

/** Records the consenting user. Returns false if a user consented before or the token no longer exists. */
export async function consentToRequestToken(
  tx: Tx,
  token: string,
  { userId, verifierHash }: { readonly userId: UserId; readonly verifierHash: string },
): Promise<boolean> {
  const noted = await tx.run(sql`
    UPDATE request_tokens SET user_id = ${userId}, verifier_hash = ${verifierHash}
    WHERE token = ${token} AND user_id IS NULL`);
  return noted === 1;
}

/** Counts a wrong verifier. */
export async function countVerifierFailure(tx: Tx, token: string): Promise<void> {
  await tx.run(sql`UPDATE request_tokens SET failures = failures + 1 WHERE token = ${token}`);
}

/** Redeems a request token. Only one of several concurrent callers gets true. */
export async function deleteRequestToken(tx: Tx, token: string): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM request_tokens WHERE token = ${token}`)) === 1;
}
