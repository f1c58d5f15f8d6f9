import type { AccessLevel, AppAccess, Permission, Track } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { asId, asJson, asNumber, asOptionalText, asText, toJson, sql } from '../database/sql.js';
import { rowChange, defineTable, type Columns } from '../database/table.js';

/** A registered app without its secrets. */
export interface App extends AppAccess {
  readonly ownerId: UserId;
  readonly apiKey: string;
  /** True for a client that holds a secret (docs/api/authentication.md#client-types). */
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  /** The app's description and the website of its developer; empty if not given. */
  readonly description: string;
  readonly website: string;
  readonly createdAtMs: number;
}

/** The secrets of an app as stored. */
export interface AppSecrets {
  readonly apiSecretSealed: string;
  readonly clientSecretHash?: string;
}

/** The source of an app's own bearer token: the sealed token if present, otherwise derived from the serial. */
export interface AppBearer {
  readonly serial: number;
  /** A token that was assigned to the app and is still valid. */
  readonly sealed?: string;
}

/** The changes that need no new credentials; undefined leaves a value unchanged. */
export type AppChanges = Partial<
  Pick<App, 'name' | 'accessLevel' | 'track' | 'permissions' | 'redirectUris' | 'description' | 'website'>
>;

/** Decodes the columns that access checks need. They are named as in `apps`, except `app_id` and `app_name`. */
export function decodeAppAccess(row: Row): AppAccess {
  return {
    id: asId(row.app_id),
    name: asText(row.app_name),
    clientId: asText(row.client_id),
    accessLevel: asText(row.access_level) as AccessLevel,
    track: asText(row.track) as Track,
    permissions: asText(row.permissions) as Permission,
  };
}

const COLUMNS: Columns<Omit<App, 'confidential'>> = {
  id: ['id', asId],
  name: ['name', asText],
  ownerId: ['owner_id', asId],
  accessLevel: ['access_level', asText],
  track: ['track', asText],
  permissions: ['permissions', asText],
  apiKey: ['api_key', asText],
  clientId: ['client_id', asText],
  redirectUris: ['redirect_uris', (value) => asJson(value) ?? [], toJson],
  description: ['description', asText],
  website: ['website', asText],
  createdAtMs: ['created_at', asNumber],
};

const APPS = defineTable<App, AppId>('apps', 'id', {
  ...COLUMNS,
  confidential: ['client_secret_hash', (value) => value !== null],
});

const WHOLE_APPS = defineTable<Omit<App, 'confidential'> & AppSecrets & AppBearer, AppId>('apps', 'id', {
  ...COLUMNS,
  apiSecretSealed: ['api_secret_sealed', asText],
  clientSecretHash: ['client_secret_hash', asOptionalText],
  serial: ['bearer_serial', asNumber],
  sealed: ['bearer_sealed', asOptionalText],
});

export const findApp = APPS.find;

/** Returns the app with this client id. */
export async function findAppByClientId(db: Queryable, clientId: string): Promise<App | undefined> {
  const claim = sql`SELECT app_id FROM client_ids WHERE client_id = ${clientId}`;
  return (await APPS.list(db, sql`id = (${claim})`))[0];
}

/** Returns the app with this API key. */
export async function findAppByApiKey(db: Queryable, apiKey: string): Promise<App | undefined> {
  const claim = sql`SELECT app_id FROM api_keys WHERE api_key = ${apiKey}`;
  return (await APPS.list(db, sql`id = (${claim})`))[0];
}

/** Returns the secrets of an app, or undefined if there is no such app. */
export const findAppSecrets: (db: Queryable, id: AppId) => Promise<AppSecrets | undefined> = WHOLE_APPS.find;

/** Returns all apps, ordered by id. Apps are registered by hand, so there are few. */
export function listApps(db: Queryable): Promise<App[]> {
  return APPS.list(db, sql`1 = 1 ORDER BY id`);
}

/** Returns the apps of one owner, ordered by id. */
export function listAppsOf(db: Queryable, ownerId: UserId): Promise<App[]> {
  return APPS.list(db, sql`owner_id = ${ownerId} ORDER BY id`);
}

/**
 * Stores an app. Its API key and client id must have been claimed. Returns false and changes nothing if the id is
 * taken.
 */
export function insertApp(tx: Tx, app: App, secrets: AppSecrets, bearer: AppBearer): Promise<boolean> {
  return WHOLE_APPS.insertNew(tx, { ...app, ...secrets, ...bearer });
}

/** Claims an API key for an app. Returns false if another app has it. */
export const claimApiKey = rowChange<[apiKey: string, appId: AppId]>(
  'INSERT INTO api_keys (api_key, app_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/** Claims a client id for an app. Returns false if another app has it. */
export const claimClientId = rowChange<[clientId: string, appId: AppId]>(
  'INSERT INTO client_ids (client_id, app_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/** Returns false if there is no such app. */
export function updateApp(tx: Tx, id: AppId, changes: AppChanges): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE apps SET
      name = COALESCE(${changes.name}, name),
      access_level = COALESCE(${changes.accessLevel}, access_level),
      track = COALESCE(${changes.track}, track),
      permissions = COALESCE(${changes.permissions}, permissions),
      redirect_uris = COALESCE(${toJson(changes.redirectUris)}, redirect_uris),
      description = COALESCE(${changes.description}, description),
      website = COALESCE(${changes.website}, website)
    WHERE id = ${id}`);
}

/** Replaces an app's keys and releases its old API key. The new API key must have been claimed. */
export async function replaceAppKeys(tx: Tx, app: App, apiKey: string, secrets: AppSecrets): Promise<void> {
  await tx.run(sql`DELETE FROM api_keys WHERE api_key = ${app.apiKey}`);
  await tx.run(sql`
    UPDATE apps SET api_key = ${apiKey}, api_secret_sealed = ${secrets.apiSecretSealed},
      client_secret_hash = ${secrets.clientSecretHash}
    WHERE id = ${app.id}`);
}

/** Sets the client secret of an app (confidential) or removes it (public). Returns false if there is no such app. */
export const setClientSecretHash = rowChange<[hash: string | undefined, AppId]>(
  'UPDATE apps SET client_secret_hash = ? WHERE id = ?',
);

/** Returns the source of an app's current bearer token, or undefined if there is no such app. */
export const findAppBearer: (db: Queryable, id: AppId) => Promise<AppBearer | undefined> = WHOLE_APPS.find;

/** Deletes an app, its API key and its client id. `deleteTokensOfApp` deletes its tokens. */
export async function deleteApp(tx: Tx, { id, apiKey, clientId }: App): Promise<void> {
  await tx.run(sql`DELETE FROM api_keys WHERE api_key = ${apiKey}`);
  await tx.run(sql`DELETE FROM client_ids WHERE client_id = ${clientId}`);
  await tx.run(sql`DELETE FROM apps WHERE id = ${id}`);
}
