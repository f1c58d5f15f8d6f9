import type { Permission, Scope } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asNumber, asOptionalNumber, asOptionalText, asText, sql } from '../database/sql.js';
import { REFRESH_IDLE_MS } from './token-families.js';
import { decodeScopes } from './tokens.js';

/** An active token of a user for an app. A refresh token stands for its access token, too. */
export interface HeldToken {
  readonly kind: 'oauth1' | 'access' | 'refresh';
  /** The token itself for OAuth 1.0a, which is of no use without its secret; its hash for OAuth 2.0. */
  readonly key: string;
  readonly createdAtMs: number;
  /** Absent: never, or with disuse. */
  readonly expiresAtMs?: number;
  /** Absent for tokens stored before it was recorded. */
  readonly permission?: Permission;
  /** Empty for OAuth 1.0a. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Returns the active tokens that a user holds for an app, newest first. */
export async function listHeldTokens(
  db: Queryable,
  appId: AppId,
  userId: UserId,
  nowMs: number,
): Promise<HeldToken[]> {
  const isTheirs = sql`app_id = ${appId} AND user_id = ${userId} AND revoked_at IS NULL`;
  const rows = await db.all(sql`
    SELECT 'oauth1' AS kind, token AS token_key, created_at, NULL AS expires_at, permission, NULL AS scopes
    FROM oauth1_tokens WHERE ${isTheirs}
    UNION ALL
    SELECT 'refresh', token_hash, created_at, NULL, permission, scopes FROM refresh_tokens
    WHERE ${isTheirs} AND created_at > ${nowMs - REFRESH_IDLE_MS}
    UNION ALL
    SELECT 'access', token_hash, created_at, expires_at, permission, scopes FROM bearer_tokens
    WHERE ${isTheirs} AND (expires_at IS NULL OR expires_at > ${nowMs})
      AND token_hash NOT IN (SELECT access_token_hash FROM refresh_tokens WHERE ${isTheirs})
      AND COALESCE(family, '') NOT IN (SELECT COALESCE(family, 'none') FROM refresh_tokens WHERE ${isTheirs})
    ORDER BY created_at DESC`);
  return rows.map((row) => ({
    kind: asText<HeldToken['kind']>(row['kind']),
    key: asText(row['token_key']),
    createdAtMs: asNumber(row['created_at']),
    expiresAtMs: asOptionalNumber(row['expires_at']),
    permission: asOptionalText(row['permission']) as Permission | undefined,
    scopes: decodeScopes(asOptionalText(row['scopes']) ?? ''),
  }));
}
