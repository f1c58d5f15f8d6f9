import type { Permission, Scope } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalNumber, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';
import { listScopes, placing, revokeTokens } from './tokens.js';

/** A refresh token expires if it is not exchanged for half a year (docs/api/authentication.md#tokens). */
export const REFRESH_IDLE_MS = 182 * 24 * 3_600_000;

/** A refresh token, active or not. */
export interface RefreshToken {
  readonly tokenHash: string;
  readonly appId: AppId;
  readonly userId: UserId;
  readonly scopes: readonly Scope[];
  /**
   * The permission of the tokens issued from it: the app's permission when the user consented. Absent for tokens stored
   * before it was recorded.
   */
  readonly permission?: Permission;
  /** The access token that is revoked with this one. */
  readonly accessTokenHash: string;
  readonly createdAtMs: number;
  /** When it was exchanged or revoked. */
  readonly revokedAtMs?: number;
  /** See `NewBearerToken.family`. Absent for a token that the server did not issue, such as one from a world file. */
  readonly family?: string;
}

const TOKENS = defineTable<RefreshToken, string>('refresh_tokens', 'tokenHash', {
  tokenHash: ['token_hash', asText],
  appId: ['app_id', asId],
  userId: ['user_id', asId],
  scopes: ['scopes', listScopes, (scopes) => scopes.join(' ')],
  permission: ['permission', asOptionalText],
  accessTokenHash: ['access_token_hash', asText],
  createdAtMs: ['created_at', asNumber],
  revokedAtMs: ['revoked_at', asOptionalNumber],
  family: ['family', asOptionalText],
});

export const findRefreshToken = TOKENS.find;
export const insertRefreshToken = placing(TOKENS, ({ tokenHash }) => tokenHash);

/**
 * Revokes a refresh token and its access tokens (docs/api/authentication.md#revoke). Returns false if it does not
 * exist or is already revoked.
 */
export async function revokeRefreshToken(tx: Tx, tokenHash: string, nowMs: number): Promise<boolean> {
  const isToken = sql`token_hash = ${tokenHash}`;
  if ((await revokeTokens(tx, 'refresh_tokens', isToken, nowMs)) === 0) return false;
  const access = sql`token_hash IN (SELECT access_token_hash FROM refresh_tokens WHERE ${isToken})`;
  await revokeTokens(tx, 'bearer_tokens', access, nowMs);
  const family = sql`family IN (SELECT family FROM refresh_tokens WHERE ${isToken})`;
  await revokeTokens(tx, 'bearer_tokens', family, nowMs);
  return true;
}

/**
 * Redeems a refresh token. Returns false if it was redeemed before. Its access token stays valid and joins the
 * family, which is named after the token's own hash if it had none.
 */
export async function useRefreshToken(tx: Tx, tokenHash: string, nowMs: number): Promise<boolean> {
  const used = await tx.run(sql`
    UPDATE refresh_tokens SET revoked_at = ${nowMs}, family = COALESCE(family, token_hash)
    WHERE token_hash = ${tokenHash} AND revoked_at IS NULL`);
  if (used === 0) return false;
  await tx.run(sql`
    UPDATE bearer_tokens SET family = ${tokenHash}
    WHERE token_hash IN (SELECT access_token_hash FROM refresh_tokens WHERE token_hash = ${tokenHash})
      AND family IS NULL`);
  return true;
}

/** Revokes every token that descends from one consent (RFC 6749 4.1.2, 10.4). */
export async function revokeFamily(tx: Tx, family: string, nowMs: number): Promise<void> {
  await revokeTokens(tx, 'bearer_tokens', sql`family = ${family}`, nowMs);
  await revokeTokens(tx, 'refresh_tokens', sql`family = ${family}`, nowMs);
}

/** Returns the app of a token that can still be revoked: a refresh token or an unexpired access token. */
export async function findTokenHolder(
  db: Queryable,
  tokenHash: string,
  nowMs: number,
): Promise<{ readonly appId: AppId; readonly isAppOwn: boolean } | undefined> {
  const row = await db.get(sql`
    SELECT app_id, user_id FROM bearer_tokens
    WHERE token_hash = ${tokenHash} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowMs})
    UNION ALL
    SELECT app_id, user_id FROM refresh_tokens WHERE token_hash = ${tokenHash} AND revoked_at IS NULL`);
  return row && { appId: asId(row.app_id), isAppOwn: row.user_id === null };
}
