import { narrowerPermission, type Permission, type Scope } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalText, asText, list, sql, type Sql } from '../database/sql.js';
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
    SELECT t.app_id, a.name, t.created_at, t.scopes, t.permission
    FROM (${activeTokens(sql`user_id = ${userId}`, nowMs)}) t JOIN apps a ON a.id = t.app_id
    ORDER BY t.created_at`);
  return rows.map((row) => {
    const scopes = asOptionalText(row.scopes);
    return {
      appId: asId(row.app_id),
      appName: asText(row.name),
      createdAtMs: asNumber(row.created_at),
      scopes: scopes === undefined ? undefined : decodeScopes(scopes),
      permission:
        scopes === undefined ? (asOptionalText(row.permission) as Permission | undefined) : undefined,
    };
  });
}

/** What an app may do for a user with one active token. */
export interface HeldAccess {
  readonly appId: AppId;
  readonly userId: UserId;
  /** The permission that both the token and its app have. */
  readonly permission: Permission;
  /** Of an OAuth 2.0 token. */
  readonly scopes?: ReadonlySet<Scope>;
}

/** Returns what these apps may do for these users now. Users who are suspended or deactivated have no apps. */
export async function listHeldAccess(
  db: Queryable,
  appIds: readonly AppId[],
  userIds: readonly UserId[],
  nowMs: number,
): Promise<HeldAccess[]> {
  if (appIds.length === 0 || userIds.length === 0) return [];
  const areTheirs = sql`user_id IN ${list(userIds)} AND app_id IN ${list(appIds)}`;
  const rows = await db.all(sql`
    SELECT DISTINCT t.app_id, t.user_id, t.scopes, COALESCE(t.permission, a.permissions) AS permission, a.permissions
    FROM (${activeTokens(areTheirs, nowMs)}) t JOIN apps a ON a.id = t.app_id JOIN users u ON u.id = t.user_id
    WHERE u.suspended = ${false}`);
  return rows.map((row) => {
    const scopes = asOptionalText(row.scopes);
    return {
      appId: asId(row.app_id),
      userId: asId(row.user_id),
      permission: narrowerPermission(asText<Permission>(row.permission), asText<Permission>(row.permissions)),
      scopes: scopes === undefined ? undefined : decodeScopes(scopes),
    };
  });
}

/** Selects active tokens of users. Those of OAuth 1.0a have no scopes. */
function activeTokens(areMeant: Sql, nowMs: number): Sql {
  return sql`
    SELECT app_id, user_id, created_at, scopes, permission FROM bearer_tokens
    WHERE ${areMeant} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowMs})
    UNION ALL
    SELECT app_id, user_id, created_at, scopes, permission FROM refresh_tokens
    WHERE ${areMeant} AND revoked_at IS NULL AND created_at > ${nowMs - REFRESH_IDLE_MS}
    UNION ALL
    SELECT app_id, user_id, created_at, NULL AS scopes, permission FROM oauth1_tokens
    WHERE ${areMeant} AND revoked_at IS NULL`;
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
