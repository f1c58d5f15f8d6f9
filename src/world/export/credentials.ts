import type { Permission } from '../../core/access.js';
import type { AppId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import type { AppService } from '../../services/apps/apps.js';
import { sealOwner, type Vault } from '../../services/secrets/vault.js';
import { findAppSecrets, listApps } from '../../stores/apps.js';
import { listAllOAuth1Tokens } from '../../stores/tokens.js';
import { listAllUserTokens } from '../../stores/whole-network.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** The services that know the secrets of apps. */
export interface CredentialDeps {
  readonly apps: Pick<AppService, 'issueBearer'>;
  readonly vault: Vault;
}

/** Returns the apps with their secrets. */
export async function exportApps(
  db: Queryable,
  names: Names,
  { apps, vault }: CredentialDeps,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const app of await listApps(db)) {
    const owner = names.find(app.ownerId);
    const secrets = await findAppSecrets(db, app.id);
    if (owner === undefined || secrets === undefined) continue;
    entries.push(
      entryOf({
        id: String(app.id),
        name: app.name,
        owner,
        access_level: app.accessLevel,
        track: app.track,
        permissions: app.permissions,
        created_at: timeBeside(app.id, app.createdAtMs),
        api_key: app.apiKey,
        api_secret: vault.open(secrets.apiSecretSealed, sealOwner.app(app.id)),
        bearer_token: await apps.issueBearer(app.id),
        client_id: app.clientId,
        client_secret_hash: secrets.clientSecretHash,
        redirect_uris: app.redirectUris,
        description: unless('', app.description),
        website: unless('', app.website),
      }),
    );
  }
  return entries;
}

/** Returns the valid tokens of users: those of OAuth 2.0 as hashes, since nothing else is stored. */
export async function exportTokens(
  db: Queryable,
  names: Names,
  { vault }: CredentialDeps,
  nowMs: number,
): Promise<Entry[]> {
  const permissions = new Map((await listApps(db)).map((app) => [app.id, app.permissions]));
  const narrower = (appId: AppId, permission: Permission | undefined) =>
    unless(permissions.get(appId), permission);
  const oauth1 = (await listAllOAuth1Tokens(db)).map(
    ({ appId, userId, token, permission, secretSealed }) => ({
      userId,
      entry: {
        app: String(appId),
        kind: 'oauth1',
        permission: narrower(appId, permission),
        access_token: token,
        access_token_secret: vault.open(secretSealed, sealOwner.oauth1Token(token)),
      },
    }),
  );
  const oauth2 = (await listAllUserTokens(db, nowMs)).map((token) => ({
    userId: token.userId,
    entry: {
      app: String(token.appId),
      kind: 'oauth2',
      permission: narrower(token.appId, token.permission),
      access_token_hash: token.accessTokenHash,
      refresh_token_hash: token.refreshTokenHash,
      scopes: someOf(token.scopes),
      expires_at: token.expiresAtMs === undefined ? undefined : worldTimeOf(token.expiresAtMs),
    },
  }));
  return [...oauth1, ...oauth2].flatMap(({ userId, entry }) => {
    const user = names.find(userId);
    return user === undefined ? [] : [entryOf({ user, ...entry })];
  });
}
