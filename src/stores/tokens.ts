import { isScope, type AppAccess, type Permission, type Scope } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import { withMembers } from '../core/with-members.js';
import { decodeAppAccess } from './apps.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
  rawSql,
  sql,
  sqlIn,
  type Sql,
  type SqlValue,
} from '../database/sql.js';
import { defineTable, deleteBy, listQuery, type Table } from '../database/table.js';
import { killConnectionsOf } from './stream-connections.js';

/** The user of a token. */
export interface TokenUser {
  readonly id: UserId;
  readonly suspended: boolean;
}

/** A bearer token: an app's own token or, with `user`, an OAuth 2.0 user token. */
export interface BearerToken {
  readonly app: AppAccess;
  /** Absent: never. */
  readonly expiresAtMs?: number;
  readonly user?: TokenUser & {
    readonly scopes: ReadonlySet<Scope>;
    /** The app's permission when the token was issued. */
    readonly permission: Permission;
  };
}

export interface OAuth1Token {
  readonly app: AppAccess;
  readonly user: TokenUser;
  /** The app's permission when the token was issued. */
  readonly permission: Permission;
  readonly apiSecretSealed: string;
  readonly secretSealed: string;
}

export interface NewBearerToken {
  readonly tokenHash: string;
  readonly appId: AppId;
  /** Absent for an app's own token. */
  readonly userId?: UserId;
  readonly scopes?: readonly Scope[];
  /** For a user token: the app's current permission. */
  readonly permission?: Permission;
  readonly createdAtMs: number;
  readonly expiresAtMs?: number;
  /** Shared by all tokens that descend from one consent (token-families.ts). */
  readonly family?: string;
}

export interface NewOAuth1Token {
  readonly token: string;
  readonly appId: AppId;
  readonly userId: UserId;
  readonly secretSealed: string;
  readonly permission: Permission;
  readonly createdAtMs: number;
}

/** `same`: the token exists for this app and user and was left unchanged. `taken`: it belongs to another. */
export type Placed = 'new' | 'same' | 'taken';

/** The tables that `findBearerToken` reads. */
export const BEARER_TOKEN_TABLES = ['bearer_tokens', 'apps', 'users'];

/**
 * Returns the bearer token with this hash, expired or not. Returns undefined if it is unknown or revoked, or its app
 * or user no longer exists.
 */
export async function findBearerToken(db: Queryable, tokenHash: string): Promise<BearerToken | undefined> {
  const row = await db.get(sqlIn('lookup')`
    SELECT t.user_id, t.scopes, t.permission, t.expires_at,
      a.id AS app_id, a.name AS app_name, a.client_id, a.access_level, a.track, a.permissions
    FROM bearer_tokens t JOIN apps a ON a.id = t.app_id
    WHERE t.token_hash = ${tokenHash} AND t.revoked_at IS NULL`);
  if (!row) return undefined;
  const token = { app: decodeAppAccess(row), expiresAtMs: asOptionalNumber(row.expires_at) };
  if (row.user_id === null) return token;
  const user = await findTokenUser(db, asId(row.user_id));
  if (!user) return undefined;
  const permission = (asOptionalText(row.permission) as Permission | undefined) ?? token.app.permissions;
  return withMembers(token, {
    user: withMembers(user, { scopes: decodeScopes(asText(row.scopes)), permission }),
  });
}

/** The tables that `findOAuth1Token` reads. */
export const OAUTH1_TOKEN_TABLES = ['oauth1_tokens', 'apps', 'users'];

/**
 * Returns the active OAuth 1.0a token of the app with this API key. Returns undefined if the token is unknown,
 * revoked or of another app, if the key was replaced, or if the app or user no longer exists.
 */
export async function findOAuth1Token(
  db: Queryable,
  token: string,
  apiKey: string,
): Promise<OAuth1Token | undefined> {
  const row = await db.get(sqlIn('lookup')`
    SELECT t.user_id, t.permission, t.secret_sealed, a.api_secret_sealed,
      a.id AS app_id, a.name AS app_name, a.client_id, a.access_level, a.track, a.permissions
    FROM oauth1_tokens t JOIN apps a ON a.id = t.app_id
    WHERE t.token = ${token} AND t.revoked_at IS NULL AND a.api_key = ${apiKey}`);
  const user = row && (await findTokenUser(db, asId(row.user_id)));
  return (
    user && {
      app: decodeAppAccess(row),
      user,
      permission: asText(row.permission) as Permission,
      apiSecretSealed: asText(row.api_secret_sealed),
      secretSealed: asText(row.secret_sealed),
    }
  );
}

/** Returns the permissions of a user's active OAuth 1.0a tokens for an app. */
export const listOAuth1Permissions = listQuery<Permission, [appId: AppId, userId: UserId]>(
  asText,
  'SELECT DISTINCT permission FROM oauth1_tokens WHERE app_id = ? AND user_id = ? AND revoked_at IS NULL',
);

/**
 * Creates the insertion of tokens of one kind, by the column and the member with the token. An existing token is left
 * unchanged.
 */
export function placing<T extends Pick<NewBearerToken, 'appId' | 'userId'>>(
  tokens: Table<T, string>,
  keyOf: (token: T) => string,
): (tx: Tx, token: T) => Promise<Placed> {
  return async (tx, token) => {
    if (await tokens.insertNew(tx, token)) return 'new';
    const stored = await tokens.find(tx, keyOf(token));
    return stored?.appId === token.appId && stored.userId === token.userId ? 'same' : 'taken';
  };
}

const BEARERS = defineTable<NewBearerToken, string>('bearer_tokens', 'tokenHash', {
  tokenHash: ['token_hash', asText],
  appId: ['app_id', asId],
  userId: ['user_id', asOptionalId],
  scopes: [
    'scopes',
    (value) => (value === null ? undefined : listScopes(value)),
    (scopes) => scopes?.join(' '),
  ],
  permission: ['permission', asOptionalText],
  createdAtMs: ['created_at', asNumber],
  expiresAtMs: ['expires_at', asOptionalNumber],
  family: ['family', asOptionalText],
});

export const insertBearerToken = placing(BEARERS, ({ tokenHash }) => tokenHash);

const OAUTH1_TOKENS = defineTable<NewOAuth1Token, string>('oauth1_tokens', 'token', {
  token: ['token', asText],
  appId: ['app_id', asId],
  userId: ['user_id', asId],
  secretSealed: ['secret_sealed', asText],
  permission: ['permission', asText],
  createdAtMs: ['created_at', asNumber],
});

/** Returns all valid OAuth 1.0a tokens. */
export function listAllOAuth1Tokens(db: Queryable): Promise<NewOAuth1Token[]> {
  return OAUTH1_TOKENS.list(db, sql`revoked_at IS NULL ORDER BY app_id, user_id, token`);
}

export const insertOAuth1Token = placing(OAUTH1_TOKENS, ({ token }) => token);

/** Revokes the active tokens that a condition selects. Returns their number. */
export function revokeTokens(
  tx: Tx,
  table: 'bearer_tokens' | 'refresh_tokens' | 'oauth1_tokens',
  condition: Sql,
  nowMs: number,
): Promise<number> {
  return tx.run(sql`
    UPDATE ${rawSql(table)} SET revoked_at = ${nowMs} WHERE ${condition} AND revoked_at IS NULL`);
}

/**
 * Revokes a bearer token. Returns false if it does not exist or is already revoked. Revoking an app's own token
 * changes the app's next own token, and ends the app's streams.
 */
export async function revokeBearerToken(tx: Tx, tokenHash: string, nowMs: number): Promise<boolean> {
  if ((await revokeTokens(tx, 'bearer_tokens', sql`token_hash = ${tokenHash}`, nowMs)) === 0) return false;
  const own = await tx.get(
    sql`SELECT app_id FROM bearer_tokens WHERE token_hash = ${tokenHash} AND user_id IS NULL`,
  );
  if (own !== undefined) await changeOwnToken(tx, asId<AppId>(own['app_id']), nowMs);
  return true;
}

/** Gives an app another own token, and ends the streams that were opened with the old one. */
async function changeOwnToken(tx: Tx, appId: AppId, nowMs: number): Promise<void> {
  await tx.run(sql`
    UPDATE apps SET bearer_serial = bearer_serial + 1, bearer_sealed = NULL WHERE id = ${appId}`);
  await killConnectionsOf(tx, appId, nowMs);
}

/** Revokes an OAuth 1.0a token. Returns false if it does not exist or is already revoked. */
export async function revokeOAuth1Token(tx: Tx, token: string, nowMs: number): Promise<boolean> {
  return (await revokeTokens(tx, 'oauth1_tokens', sql`token = ${token}`, nowMs)) === 1;
}

/** Revokes an app's own bearer tokens, not its users' tokens. Its next own token differs from all earlier ones. */
export async function revokeAppBearers(tx: Tx, appId: AppId, nowMs: number): Promise<void> {
  await revokeTokens(tx, 'bearer_tokens', sql`app_id = ${appId} AND user_id IS NULL`, nowMs);
  await changeOwnToken(tx, appId, nowMs);
}

/** Deletes all tokens of an app: its own and its users'. */
export const deleteTokensOfApp = deleteBy<AppId>(
  'app_id',
  'bearer_tokens',
  'refresh_tokens',
  'oauth1_tokens',
);

/**
 * Returns the user of a token, if the account still exists. A statement of its own: accounts are not stored where tokens
 * are.
 */
async function findTokenUser(db: Queryable, id: UserId): Promise<TokenUser | undefined> {
  const row = await db.get(sql`SELECT suspended FROM users WHERE id = ${id}`);
  return row && { id, suspended: asBoolean(row.suspended) };
}

/** Decodes a list of scopes and ignores scopes unknown to this version. */
export function decodeScopes(text: string): ReadonlySet<Scope> {
  return new Set(text.split(' ').filter(isScope));
}

/** Decodes a column of scopes. */
export function listScopes(value: SqlValue | undefined): Scope[] {
  return [...decodeScopes(asText(value))];
}
