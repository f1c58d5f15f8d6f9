import { narrowerPermission, type Permission, type Scope } from '../../core/access.js';
import { conflict, invalidRequest, type PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import { findApp } from '../../stores/apps.js';
import type { Tx } from '../../database/engine.js';
import {
  insertBearerToken,
  insertOAuth1Token,
  revokeBearerToken,
  revokeOAuth1Token,
} from '../../stores/tokens.js';
import { insertRefreshToken, revokeRefreshToken } from '../../stores/token-families.js';
import { requireCredential } from './app-credentials.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { sealOwner, type Vault } from '../secrets/vault.js';
import type { ServiceDeps } from '../service-deps.js';

/** The documented lifetime (docs/api/authentication.md#tokens). */
const ACCESS_TOKEN_LIFETIME_SECONDS = 7200;

interface NewOAuth1Token {
  readonly appId: AppId;
  readonly userId: UserId;
  /** The permission the user consented to, when the app's permission may have been raised since. */
  readonly atMost?: Permission;
  /** A token to use instead of a generated one. */
  readonly given?: { readonly accessToken: string; readonly accessTokenSecret: string };
}

export interface IssuedOAuth1Token {
  /** False for a given token that already existed. */
  readonly isNew: boolean;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

export interface NewOAuth2Token extends Omit<NewOAuth1Token, 'given'> {
  readonly scopes: readonly Scope[];
  /** Default: two hours from now. */
  readonly expiresAtMs?: number | 'never';
  /** Identifies all tokens that derive from one consent. */
  readonly family?: string;
  /** Tokens to use instead of generated ones. */
  readonly given?: { readonly accessToken?: string; readonly refreshToken?: string };
}

/** A token of which only hashes are known (`hashToken`). */
export interface StoredOAuth2Token extends Omit<NewOAuth2Token, 'given'> {
  readonly accessTokenHash: string;
  readonly refreshTokenHash: string | undefined;
}

export interface IssuedOAuth2Token {
  /** False for a given access token that already existed. */
  readonly isNew: boolean;
  readonly accessToken: string;
  /** Present with the scope `offline.access`, or when it was given. */
  readonly refreshToken?: string;
  /** Absent for a token that does not expire. */
  readonly expiresInSeconds?: number;
}

/** Users' tokens. Every method uses `tx` if given, otherwise its own transaction. */
export type TokenService = ReturnType<typeof createTokenService>;

export interface TokenServiceDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  readonly vault: Vault;
}

export function createTokenService(deps: TokenServiceDeps) {
  const within = <T>(name: string, tx: Tx | undefined, body: (tx: Tx) => Promise<T>) =>
    tx ? body(tx) : deps.engine.tx(name, body);
  return {
    /**
     * Issues an OAuth 1.0a token with the app's current permission, which is its maximum from then on
     * (docs/api/authentication.md#permissions). A given token that already belongs to this app and user stays
     * unchanged. Throws `conflict` when it belongs to another, and `invalid-request` for an unknown app or a token that
     * is not valid in a header.
     */
    issueOAuth1: (input: NewOAuth1Token, tx?: Tx) =>
      within('issue oauth1 token', tx, (inner) => issueOAuth1(deps, inner, input)),
    /** Issues an OAuth 2.0 user token. Handles given tokens and errors as `issueOAuth1` does. */
    issueOAuth2: (input: NewOAuth2Token, tx?: Tx) =>
      within('issue oauth2 token', tx, (inner) => issueOAuth2(deps, inner, input)),
    /** Stores an OAuth 2.0 user token that another database issued. Handles errors as `issueOAuth1` does. */
    restoreOAuth2: (input: StoredOAuth2Token, tx?: Tx) =>
      within('restore oauth2 token', tx, async (inner) => ({ isNew: await placeOAuth2(deps, inner, input) })),
    /**
     * Revokes a token at once: an app-only bearer token, an OAuth 1.0a token, or an OAuth 2.0 access or refresh token.
     * A refresh token's access token is revoked with it. Returns false when no valid token matches.
     */
    revoke: (token: string, tx?: Tx) =>
      within('revoke token', tx, (inner) => revoke(inner, token, deps.clock())),
  };
}

async function issueOAuth1(
  deps: TokenServiceDeps,
  tx: Tx,
  input: NewOAuth1Token,
): Promise<IssuedOAuth1Token> {
  const { appId, userId, given } = input;
  const permission = await requirePermission(tx, input);
  const accessToken = given?.accessToken ?? generate.oauth1Token(userId);
  const accessTokenSecret = given?.accessTokenSecret ?? generate.oauth1Secret();
  requireCredential('access_token', accessToken);
  requireCredential('access_token_secret', accessTokenSecret);
  const placed = await insertOAuth1Token(tx, {
    token: accessToken,
    appId,
    userId,
    secretSealed: deps.vault.seal(accessTokenSecret, sealOwner.oauth1Token(accessToken)),
    permission,
    createdAtMs: deps.clock(),
  });
  if (placed === 'taken') throw taken('access_token', input);
  return { isNew: placed === 'new', accessToken, accessTokenSecret };
}

async function issueOAuth2(
  deps: TokenServiceDeps,
  tx: Tx,
  input: NewOAuth2Token,
): Promise<IssuedOAuth2Token> {
  const { scopes, given } = input;
  const createdAtMs = deps.clock();
  const expiresAtMs = expiryOf(input, createdAtMs);
  const accessToken = given?.accessToken ?? generate.oauth2Token();
  const refreshToken =
    given?.refreshToken ?? (scopes.includes('offline.access') ? generate.oauth2Token() : undefined);
  requireCredential('access_token', accessToken);
  if (refreshToken !== undefined) requireCredential('refresh_token', refreshToken);
  const isNew = await placeOAuth2(deps, tx, {
    ...input,
    accessTokenHash: hashToken(accessToken),
    refreshTokenHash: refreshToken === undefined ? undefined : hashToken(refreshToken),
  });
  const expiresInSeconds =
    expiresAtMs === undefined ? undefined : Math.ceil((expiresAtMs - createdAtMs) / 1000);
  return { isNew, accessToken, refreshToken, expiresInSeconds };
}

/** Stores a token by its hashes. Returns false if it exists. */
async function placeOAuth2(
  { clock }: TokenServiceDeps,
  tx: Tx,
  { accessTokenHash, refreshTokenHash, ...input }: StoredOAuth2Token,
): Promise<boolean> {
  const { appId, userId, scopes, family } = input;
  const permission = await requirePermission(tx, input);
  const createdAtMs = clock();
  const owned = { appId, userId, scopes, permission, createdAtMs, family };
  const expiresAtMs = expiryOf(input, createdAtMs);
  const placed = await insertBearerToken(tx, { ...owned, tokenHash: accessTokenHash, expiresAtMs });
  if (placed === 'taken') throw taken('access_token', input);
  if (refreshTokenHash === undefined) return placed === 'new';
  const refresh = { ...owned, accessTokenHash, tokenHash: refreshTokenHash };
  if ((await insertRefreshToken(tx, refresh)) === 'taken') throw taken('refresh_token', input);
  return placed === 'new';
}

function expiryOf({ expiresAtMs }: NewOAuth2Token, nowMs: number): number | undefined {
  if (expiresAtMs === 'never') return undefined;
  return expiresAtMs ?? nowMs + ACCESS_TOKEN_LIFETIME_SECONDS * 1000;
}

async function revoke(tx: Tx, token: string, nowMs: number): Promise<boolean> {
  const tokenHash = hashToken(token);
  return (
    (await revokeBearerToken(tx, tokenHash, nowMs)) ||
    (await revokeRefreshToken(tx, tokenHash, nowMs)) ||
    revokeOAuth1Token(tx, token, nowMs)
  );
}

async function requirePermission(
  tx: Tx,
  { appId, atMost }: { readonly appId: AppId; readonly atMost?: Permission },
): Promise<Permission> {
  const app = await findApp(tx, appId);
  if (!app) throw invalidRequest('app', [String(appId)], `There is no app with the id [${appId}]`);
  return atMost === undefined ? app.permissions : narrowerPermission(atMost, app.permissions);
}

function taken(credential: string, { appId, userId }: { appId: AppId; userId: UserId }): PipitError {
  return conflict(
    `The ${credential} for app ${appId} and user ${userId} is already in use by another app or user.`,
  );
}
