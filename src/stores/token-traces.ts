import type { AppId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asId, asOptionalNumber, asText, sql } from '../database/sql.js';

/** What the database remembers of a token, whether or not it is still accepted. */
export interface TokenTrace {
  readonly kind: 'access' | 'app' | 'refresh' | 'oauth1';
  readonly appId: AppId;
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
}

/**
 * Returns what is remembered of a token, by its hash and, for OAuth 1.0a, by its text. Returns undefined for a token
 * that never existed, was cleaned up (`housekeeping.ts`), or whose app was deleted.
 */
export async function findTokenTrace(
  db: Queryable,
  tokenHash: string,
  text: string,
): Promise<TokenTrace | undefined> {
  const row = await db.get(sql`
    SELECT CASE WHEN user_id IS NULL THEN 'app' ELSE 'access' END AS kind, app_id, expires_at, revoked_at
    FROM bearer_tokens WHERE token_hash = ${tokenHash}
    UNION ALL
    SELECT 'refresh' AS kind, app_id, NULL AS expires_at, revoked_at
    FROM refresh_tokens WHERE token_hash = ${tokenHash}
    UNION ALL
    SELECT 'oauth1' AS kind, app_id, NULL AS expires_at, revoked_at FROM oauth1_tokens WHERE token = ${text}`);
  return (
    row && {
      kind: asText(row.kind) as TokenTrace['kind'],
      appId: asId(row.app_id),
      expiresAtMs: asOptionalNumber(row.expires_at),
      revokedAtMs: asOptionalNumber(row.revoked_at),
    }
  );
}
