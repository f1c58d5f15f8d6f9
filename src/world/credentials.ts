import { ACCESS_LEVELS, PERMISSIONS, TRACKS } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import type { AppId } from '../core/ids.js';
import { APP_LIMITS } from '../core/limits.js';
import { SCOPES } from '../core/scope.js';
import type { AppService } from '../services/apps/apps.js';
import type { IssuedOAuth1Token, IssuedOAuth2Token, TokenService } from '../services/apps/tokens.js';
import { findApp } from '../stores/apps.js';
import { requireUnique, type Check, type Load } from './pass.js';
import {
  idOf,
  isObject,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  reader,
  required,
  textOf,
  timestamp,
  valuesOf,
  type Reader,
} from './readers.js';
import { username } from './users.js';

const credential = matching(/^[!-~]{1,1000}$/, '1 to 1000 visible ASCII characters');

const app = objectOf({
  id: required(idOf<AppId>()),
  name: required(textOf(1, APP_LIMITS.name)),
  owner: required(username),
  access_level: optional(oneOf(ACCESS_LEVELS)),
  track: optional(oneOf(TRACKS)),
  permissions: required(oneOf(PERMISSIONS)),
  api_key: required(credential),
  api_secret: required(credential),
  bearer_token: required(credential),
  client_id: required(credential),
  client_secret: optional(credential),
  redirect_uris: required(valuesOf(textOf(1, APP_LIMITS.uri), 0, APP_LIMITS.redirectUris)),
  description: optional(textOf(0, APP_LIMITS.description)),
  website: optional(textOf(0, APP_LIMITS.uri)),
});
export const readApps = listOf(app);
export type WorldApp = NonNullable<ReturnType<typeof app>>;

const holder = { app: required(idOf<AppId>()), user: required(username) };
const oauth1Token = objectOf({
  ...holder,
  kind: required(oneOf(['oauth1'])),
  access_token: required(credential),
  access_token_secret: required(credential),
});
const oauth2Token = objectOf({
  ...holder,
  kind: required(oneOf(['oauth2'])),
  access_token: required(credential),
  refresh_token: optional(credential),
  scopes: required(valuesOf(oneOf(SCOPES), 1)),
  expires_at: optional(timestamp),
});
export type WorldToken = NonNullable<ReturnType<typeof oauth1Token> | ReturnType<typeof oauth2Token>>;

const anyToken = { anyOf: [oauth1Token.schema, oauth2Token.schema] };
const token: Reader<WorldToken> = reader(anyToken, (value, path, faults) => {
  const kind = isObject(value) ? value.kind : undefined;
  if (kind === 'oauth1') return oauth1Token(value, path, faults);
  if (kind === 'oauth2') return oauth2Token(value, path, faults);
  if (isObject(value)) oneOf(['oauth1', 'oauth2'])(kind, `${path}.kind`, faults);
  else objectOf({})(value, path, faults);
  return undefined;
});
export const readTokens = listOf(token);

/** Owners exist, and no two apps of the file share an id or a credential. */
export async function checkApps(apps: readonly WorldApp[], { known, faults }: Check): Promise<void> {
  for (const key of ['id', 'api_key', 'bearer_token', 'client_id'] as const) {
    requireUnique(apps, key, (entry) => entry[key], faults);
  }
  await known.requireUsers(
    apps.map(({ owner, path }) => ({ name: owner, path: `${path}.owner` })),
    faults,
  );
}

/** Apps and users exist; OAuth 1.0a tokens begin with their user's id, which clients read from them. */
export async function checkTokens(
  tokens: readonly WorldToken[],
  declaredApps: ReadonlySet<string>,
  { known, faults }: Check,
): Promise<void> {
  requireUnique(tokens, 'access_token', (entry) => entry.access_token, faults);
  requireUnique(
    tokens,
    'refresh_token',
    (entry) => ('refresh_token' in entry ? entry.refresh_token : undefined),
    faults,
  );
  await known.requireUsers(
    tokens.map(({ user, path }) => ({ name: user, path: `${path}.user` })),
    faults,
  );
  for (const entry of tokens) {
    if (!declaredApps.has(String(entry.app)) && !(await findApp(known.db, entry.app)))
      faults.add(`${entry.path}.app`, `no app ${entry.app} in this file or in the database`);
    const userId = known.findUserId(entry.user);
    if (entry.kind === 'oauth1' && userId !== undefined && !entry.access_token.startsWith(`${userId}-`))
      faults.add(`${entry.path}.access_token`, `must begin with the user's id: ${userId}-`);
  }
}

/** Registers the apps that the database does not have; those it has stay as they are. */
export async function storeApps(apps: readonly WorldApp[], load: Load, service: AppService): Promise<void> {
  for (const entry of apps) {
    await reporting(entry.path, load, async () => {
      const { created } = await service.create(
        {
          id: entry.id,
          name: entry.name,
          ownerId: load.known.userId(entry.owner),
          accessLevel: entry.access_level,
          track: entry.track,
          permissions: entry.permissions,
          redirectUris: entry.redirect_uris,
          description: entry.description,
          website: entry.website,
          confidential: entry.client_secret !== undefined,
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

/** Issues the tokens, with the permissions that their apps have. Those that exist stay as they are. */
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
  { tx, known }: Load,
  service: TokenService,
): Promise<IssuedOAuth1Token | IssuedOAuth2Token> {
  const owner = { appId: entry.app, userId: known.userId(entry.user) };
  if (entry.kind === 'oauth1') {
    const given = { accessToken: entry.access_token, accessTokenSecret: entry.access_token_secret };
    return service.issueOAuth1({ ...owner, given }, tx);
  }
  const given = { accessToken: entry.access_token, refreshToken: entry.refresh_token };
  const expiresAtMs = entry.expires_at ?? 'never';
  return service.issueOAuth2({ ...owner, scopes: entry.scopes, expiresAtMs, given }, tx);
}

/** What a service refuses is a fault of the entry. */
async function reporting(path: string, { faults }: Load, store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!(error instanceof PipitError)) throw error;
    faults.add(path, error.message);
  }
}
