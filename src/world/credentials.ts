import { ACCESS_LEVELS, PERMISSIONS, TRACKS, SCOPES } from '../core/access.js';
import type { AppId } from '../core/ids.js';
import { APP_LIMITS } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import type { AppService } from '../services/apps/apps.js';
import type { IssuedOAuth2Token, TokenService } from '../services/apps/tokens.js';
import { findApp } from '../stores/apps.js';
import { referencesIn } from './known.js';
import { reporting, requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const credential = v.matching(/^[!-~]{1,1000}$/, { description: '1 to 1000 visible ASCII characters' });

/** A SHA-256 hash as the server stores it instead of a secret. */
const tokenHash = v.matching(/^[A-Za-z0-9_-]{43}$/, { description: 'a SHA-256 hash in base64url' });

const app = objectOf({
  id: v.required(idOf<AppId>()),
  name: v.text({ min: 1, max: APP_LIMITS.name }),
  owner: v.required(username),
  access_level: v.oneOf(ACCESS_LEVELS),
  track: v.oneOf(TRACKS),
  permissions: v.oneOf(PERMISSIONS),
  created_at: worldTime,
  api_key: credential,
  api_secret: credential,
  bearer_token: credential,
  client_id: credential,
  client_secret: credential,
  client_secret_hash: tokenHash,
  redirect_uris: valuesOf(v.text({ min: 1, max: APP_LIMITS.uri }), { max: APP_LIMITS.redirectUris }),
  description: v.text({ max: APP_LIMITS.description }),
  website: v.text({ max: APP_LIMITS.uri }),
});
export const readApps = listOf(app);
export type WorldApp = v.ValueOf<typeof app>;

const holder = {
  app: v.required(idOf<AppId>()),
  user: v.required(username),
  permission: v.oneOf(PERMISSIONS),
};
const oauth2Members = { scopes: valuesOf(v.oneOf(SCOPES), { min: 1 }), expires_at: worldTime };
const oauth1Token = objectOf({
  ...holder,
  kind: v.required(v.oneOf(['oauth1'])),
  access_token: v.required(credential),
  access_token_secret: v.required(credential),
});
const oauth2Token = objectOf({
  ...holder,
  kind: v.required(v.oneOf(['oauth2'])),
  access_token: v.required(credential),
  refresh_token: credential,
  ...oauth2Members,
});
const hashedToken = objectOf({
  ...holder,
  kind: v.required(v.oneOf(['oauth2'])),
  access_token_hash: v.required(tokenHash),
  refresh_token_hash: tokenHash,
  ...oauth2Members,
});
export type WorldToken =
  | v.ValueOf<typeof oauth1Token>
  | v.ValueOf<typeof oauth2Token>
  | v.ValueOf<typeof hashedToken>;

const kinds = v.oneOf(['oauth1', 'oauth2']);
const token: v.Validator<WorldToken> = {
  schema: { anyOf: [oauth1Token.schema, oauth2Token.schema, hashedToken.schema] },
  check: (value, path, faults) => {
    if (!v.isObject(value)) return faults.report(path, { kind: 'type', expected: 'object' }, value);
    const kind = kinds.check(value.kind, `${path}.kind`, faults);
    if (kind === undefined) return undefined;
    const ofOAuth2 = Object.hasOwn(value, 'access_token_hash') ? hashedToken : oauth2Token;
    return (kind === 'oauth1' ? oauth1Token : ofOAuth2).check(value, path, faults);
  },
};
export const readTokens = listOf(token);

/** Checks that owners exist and that no two apps of the file share an id or a credential. */
export async function checkApps(apps: readonly WorldApp[], { known, faults }: Check): Promise<void> {
  for (const key of ['id', 'api_key', 'bearer_token', 'client_id'] as const) {
    requireUnique(apps, key, (entry) => entry[key], faults);
  }
  await known.requireUsers(referencesIn(apps, 'owner'), faults);
}

/** Reports apps that are neither in the file nor in the database. */
export async function requireApps(
  entries: readonly { readonly app: AppId; readonly path: string }[],
  declaredApps: ReadonlySet<string>,
  { known, faults }: Check,
): Promise<void> {
  for (const { app, path } of entries) {
    if (!declaredApps.has(String(app)) && !(await findApp(known.db, app)))
      faults.add(`${path}.app`, `no app ${app} in this file or in the database`);
  }
}

/** Checks that apps and users exist, and that OAuth 1.0a tokens begin with the user's id, which clients parse. */
export async function checkTokens(
  tokens: readonly WorldToken[],
  declaredApps: ReadonlySet<string>,
  { known, faults }: Check,
): Promise<void> {
  for (const key of ['access_token', 'access_token_hash', 'refresh_token'] as const) {
    requireUnique(tokens, key, (entry: Partial<Record<typeof key, string>>) => entry[key], faults);
  }
  await known.requireUsers(referencesIn(tokens, 'user'), faults);
  await requireApps(tokens, declaredApps, { known, faults });
  for (const entry of tokens) {
    const userId = known.findUserId(entry.user);
    if (entry.kind === 'oauth1' && userId !== undefined && !entry.access_token.startsWith(`${userId}-`))
      faults.add(`${entry.path}.access_token`, `must begin with the user's id: ${userId}-`);
  }
}

/** Registers the apps that are not in the database; stored apps are unchanged. */
export async function storeApps(apps: readonly WorldApp[], load: Load, service: AppService): Promise<void> {
  for (const entry of apps) {
    await reporting(entry.path, load, async () => {
      const { created } = await service.create(
        {
          id: entry.id,
          name: entry.name ?? `app ${entry.id}`,
          ownerId: load.known.userId(entry.owner),
          accessLevel: entry.access_level,
          track: entry.track,
          permissions: entry.permissions ?? 'read_write',
          createdAtMs: entry.created_at?.at(load.nowMs) ?? timeOfId(entry.id),
          redirectUris: entry.redirect_uris,
          description: entry.description,
          website: entry.website,
          // An entry that names a client, and no secret, is a public client.
          confidential: entry.client_secret !== undefined || entry.client_id === undefined,
          clientSecretHash: entry.client_secret_hash,
          derivesCredentials: true,
          credentials: {
            apiKey: entry.api_key,
            apiSecret: entry.api_secret,
            bearerToken: entry.bearer_token,
            clientId: entry.client_id,
            clientSecret: entry.client_secret,
          },
        },
        load.tx,
      );
      if (created) load.added('apps');
    });
  }
}

/** Issues the tokens with the permissions of their apps, or less; existing tokens are unchanged. */
export async function storeTokens(
  tokens: readonly WorldToken[],
  load: Load,
  service: TokenService,
): Promise<void> {
  for (const entry of tokens) {
    await reporting(entry.path, load, async () => {
      if ((await issue(entry, load, service)).isNew) load.added('tokens');
    });
  }
}

async function issue(
  entry: WorldToken,
  { tx, known, nowMs }: Load,
  service: TokenService,
): Promise<Pick<IssuedOAuth2Token, 'isNew'>> {
  const owner = { appId: entry.app, userId: known.userId(entry.user), atMost: entry.permission };
  if (entry.kind === 'oauth1') {
    const given = { accessToken: entry.access_token, accessTokenSecret: entry.access_token_secret };
    return service.issueOAuth1({ ...owner, given }, tx);
  }
  const { scopes = SCOPES } = entry;
  const expiresAtMs = entry.expires_at?.at(nowMs) ?? 'never';
  if ('access_token_hash' in entry) {
    const hashes = { accessTokenHash: entry.access_token_hash, refreshTokenHash: entry.refresh_token_hash };
    return service.restoreOAuth2({ ...owner, scopes, expiresAtMs, ...hashes }, tx);
  }
  const given = { accessToken: entry.access_token, refreshToken: entry.refresh_token };
  return service.issueOAuth2({ ...owner, scopes, expiresAtMs, given }, tx);
}
