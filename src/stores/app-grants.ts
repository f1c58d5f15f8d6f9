import type { Permission, Scope } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalText, asText, sql } from '../database/sql.js';
import { deleteAccountSubscriptionsBy } from './account-subscriptions.js';
import { deleteActivitySubscriptionsBy } from './activity-subscriptions.js';
import { REFRESH_IDLE_MS } from './token-families.js';
import { decodeScopes, revokeTokens } from './tokens.js';

/** An active token with which an app acts for a user. */
export interface AppGrant {
  readonly appId: AppId;
  readonly appName: string;
  readonly createdAtMs: number;
  /** Of an OAuth 2.0 token. */
  readonly scopes?: ReadonlySet<Scope>;
  /** Of an OAuth 1.0a token. */
  readonly permission?: Permission;
}

/** Returns the active tokens that apps hold for a user. Of an OAuth 2.0 token pair the refresh token counts too. */
export async function listAppGrants(db: Queryable, userId: UserId, nowMs: number): Promise<AppGrant[]> {
  const rows = await db.all(sql`
    SELECT t.app_id, a.name, t.created_at, t.scopes, t.permission FROM (
      SELECT app_id, created_at, scopes, NULL AS permission FROM bearer_tokens
      WHERE user_id = ${userId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowMs})
      UNION ALL
      SELECT app_id, created_at, scopes, NULL AS permission FROM refresh_tokens
      WHERE user_id = ${userId} AND revoked_at IS NULL AND created_at > ${nowMs - REFRESH_IDLE_MS}
      UNION ALL
      SELECT app_id, created_at, NULL AS scopes, permission FROM oauth1_tokens
      WHERE user_id = ${userId} AND revoked_at IS NULL
    ) t JOIN apps a ON a.id = t.app_id
    ORDER BY t.created_at`);
  return rows.map((row) => {
    const scopes = asOptionalText(row.scopes);
    return {
      appId: asId(row.app_id),
      appName: asText(row.name),
      createdAtMs: asNumber(row.created_at),
      scopes: scopes === undefined ? undefined : decodeScopes(scopes),
      permission: asOptionalText(row.permission) as Permission | undefined,
    };
  });
}

/**
 * Revokes all tokens with which an app acts for a user, and deletes its pending codes and the subscriptions to activity
 * that the user made with it. Names the end of access for the feed. Returns the number of revoked tokens.
 */
export async function revokeAppGrants(tx: Tx, userId: UserId, appId: AppId, nowMs: number): Promise<number> {
  const isGrant = sql`user_id = ${userId} AND app_id = ${appId}`;
  await tx.run(sql`DELETE FROM authorization_codes WHERE ${isGrant}`);
  await tx.run(sql`DELETE FROM request_tokens WHERE ${isGrant}`);
  await deleteActivitySubscriptionsBy(tx, userId, appId);
  const webhooks = await deleteAccountSubscriptionsBy(tx, userId, appId);
  const bearers = await revokeTokens(tx, 'bearer_tokens', isGrant, nowMs);
  const refreshes = await revokeTokens(tx, 'refresh_tokens', isGrant, nowMs);
  const revoked = bearers + refreshes + (await revokeTokens(tx, 'oauth1_tokens', isGrant, nowMs));
  if (revoked > 0 || webhooks.length > 0) {
    tx.emit({ kind: 'app-disconnected', userId, appId, webhooks: webhooks.map(String) });
  }
  return revoked;
}
