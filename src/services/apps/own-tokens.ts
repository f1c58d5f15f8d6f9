import { permits, SCOPES, type Permission, type Scope } from '../../core/access.js';
import { PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import { listHeldTokens, type HeldToken } from '../../stores/held-tokens.js';
import { revokeRefreshToken } from '../../stores/token-families.js';
import { revokeBearerToken, revokeOAuth1Token } from '../../stores/tokens.js';
import type { AccountDeps } from '../accounts/account-deps.js';
import { hashToken } from '../secrets/secrets.js';
import { withOwnApp, type OwnApp } from './own-apps.js';
import type { IssuedOAuth1Token, IssuedOAuth2Token } from './tokens.js';

type Deps = Pick<AccountDeps, 'engine' | 'apps' | 'tokens' | 'clock'>;

/** A token of the owner for an own app. */
export interface OwnToken extends HeldToken {
  /** Names the token in forms without disclosing it. */
  readonly id: string;
}

/** Returns the scopes that a permission includes. */
function scopesWithin(permission: Permission): Scope[] {
  return SCOPES.filter((scope) => permits(permission, neededFor(scope)));
}

function neededFor(scope: Scope): Permission {
  if (scope.startsWith('dm.')) return 'read_write_dm';
  return scope.endsWith('.write') ? 'read_write' : 'read';
}

/** Lists the active tokens that an owner holds for an own app, newest first. */
export async function listOwnTokens(
  { engine, clock }: Deps,
  ownerId: UserId,
  { id }: Pick<OwnApp, 'id'>,
): Promise<OwnToken[]> {
  const held = await listHeldTokens(engine, id, ownerId, clock());
  return held.map((token) => ({ ...token, id: hashToken(token.key) }));
}

/** Issues an OAuth 1.0a token for the owner's own account, for example for a bot. Throws as `withOwnApp` does. */
export function issueOwnOAuth1(
  { tokens, ...deps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
): Promise<IssuedOAuth1Token> {
  return withOwnApp(deps, ownerId, appId, (tx, { id }) =>
    tokens.issueOAuth1({ appId: id, userId: ownerId }, tx),
  );
}

/**
 * Issues an OAuth 2.0 token for the owner's own account, with a refresh token and every scope within the app's
 * permission. Throws as `withOwnApp` does.
 */
export function issueOwnOAuth2(
  { tokens, ...deps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
): Promise<IssuedOAuth2Token> {
  return withOwnApp(deps, ownerId, appId, (tx, { id, permissions }) =>
    tokens.issueOAuth2({ appId: id, userId: ownerId, scopes: scopesWithin(permissions) }, tx),
  );
}

/**
 * Revokes a token of the owner for an own app; a refresh token with its access token. Throws as `withOwnApp` does, and
 * `route-not-found` if there is no such token.
 */
export async function revokeOwnToken(
  deps: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
  tokenId: string,
): Promise<void> {
  await withOwnApp(deps, ownerId, appId, async (tx, { id }) => {
    const nowMs = deps.clock();
    const held = await listHeldTokens(tx, id, ownerId, nowMs);
    const found = held.find(({ key }) => hashToken(key) === tokenId);
    if (!found) throw new PipitError({ code: 'route-not-found' });
    await REVOKE[found.kind](tx, found.key, nowMs);
  });
}

const REVOKE = { oauth1: revokeOAuth1Token, access: revokeBearerToken, refresh: revokeRefreshToken } as const;
