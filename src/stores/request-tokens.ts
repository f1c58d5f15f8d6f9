import type { Permission } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalId, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable, deleteBy, findUnexpired } from '../database/table.js';

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

const TOKENS = defineTable<RequestToken, string>('request_tokens', 'token', {
  token: ['token', asText],
  appId: ['app_id', asId],
  secretSealed: ['secret_sealed', asText],
  callback: ['callback', asText],
  permission: ['permission', asText],
  createdAtMs: ['created_at', asNumber],
  expiresAtMs: ['expires_at', asNumber],
  userId: ['user_id', asOptionalId],
  verifierHash: ['verifier_hash', asOptionalText],
  failures: ['failures', asNumber],
});

export const insertRequestToken = TOKENS.insert;

/** Returns the request token unless it has expired. */
export const findRequestToken = findUnexpired(TOKENS);

/** Records the consenting user. Returns false if a user consented before or the token no longer exists. */
export function consentToRequestToken(
  tx: Tx,
  token: string,
  { userId, verifierHash }: { readonly userId: UserId; readonly verifierHash: string },
): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE request_tokens SET user_id = ${userId}, verifier_hash = ${verifierHash}
    WHERE token = ${token} AND user_id IS NULL`);
}

/** Counts a wrong verifier. */
export async function countVerifierFailure(tx: Tx, token: string): Promise<void> {
  await tx.run(sql`UPDATE request_tokens SET failures = failures + 1 WHERE token = ${token}`);
}

/** Redeems a request token. Only one of several concurrent callers gets true. */
export const deleteRequestToken = deleteBy<string>('token', 'request_tokens');
