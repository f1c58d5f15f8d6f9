import type { AccessLevel, Permission, Track } from '../../core/access.js';
import { conflict, type PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import {
  claimApiKey,
  claimClientId,
  deleteApp,
  findApp,
  findAppBearer,
  insertApp,
  listApps,
  listAppsOf,
  replaceAppKeys,
  setClientSecretHash,
  updateApp,
  type App,
  type AppChanges,
} from '../../stores/apps.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { deleteUsageOf } from '../../stores/usage.js';
import { deleteActivitySubscriptionsOf } from '../../stores/activity-subscriptions.js';
import { deleteConnectionsOf } from '../../stores/stream-connections.js';
import { deleteStreamRulesOf } from '../../stores/stream-rules.js';
import { deleteTokensOfApp, insertBearerToken, revokeAppBearers } from '../../stores/tokens.js';
import {
  completeCredentials,
  derivedCredentials,
  firstBearerSerial,
  protectSecrets,
  type AppCredentials,
} from './app-credentials.js';
import { requireAppRules } from './app-rules.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { sealOwner, type Vault } from '../secrets/vault.js';
import { removeWebhooksOf } from '../webhooks/webhooks.js';
import type { ServiceDeps } from '../service-deps.js';

export interface NewApp {
  /** Default: a new snowflake. */
  readonly id?: AppId;
  readonly name: string;
  readonly ownerId: UserId;
  /** Default: `elevated`. */
  readonly accessLevel?: AccessLevel;
  /** Default: `standard`. */
  readonly track?: Track;
  /** Default: `read`. */
  readonly permissions?: Permission;
  readonly redirectUris?: readonly string[];
  /** Default: empty. */
  readonly description?: string;
  readonly website?: string;
  /** True for a confidential client, which gets a client secret unless `credentials` contains one. */
  readonly confidential: boolean;
  /** The hash of the secret of a confidential client, which is known to nobody here. */
  readonly clientSecretHash?: string;
  /** Credentials to use; absent ones are generated. */
  readonly credentials?: Partial<AppCredentials>;
  /** If true, absent credentials are derived from the id of the app and the key of the server. */
  readonly derivesCredentials?: boolean;
  /** Default: now. */
  readonly createdAtMs?: number;
}

/** The result of `create`. An existing app is returned unchanged, without its credentials. */
type CreatedApp =
  | { readonly created: true; readonly app: App; readonly credentials: AppCredentials }
  | { readonly created: false; readonly app: App };

/** Registered apps. Writing methods use `tx` if given, otherwise their own transaction. */
export type AppService = ReturnType<typeof createAppService>;

export interface AppServiceDeps extends Omit<ServiceDeps, 'queue'> {
  readonly vault: Vault;
}

export function createAppService(deps: AppServiceDeps) {
  const { engine } = deps;
  const within = <T>(name: string, tx: Tx | undefined, body: (tx: Tx) => Promise<T>) =>
    tx ? body(tx) : engine.tx(name, body);
  return {
    /**
     * Registers an app. Returns an existing app with the same id and owner unchanged, so that loading a world file is
     * idempotent. Throws `conflict` for an id of another owner's app and for credentials in use, and
     * `invalid-request` for an invalid name, redirect URI, description, website or credential.
     */
    create: (input: NewApp, tx?: Tx) => within('create app', tx, (inner) => create(deps, inner, input)),
    find: (id: AppId, db: Queryable = engine) => findApp(db, id),
    list: () => listApps(engine),
    /** Lists the apps of one owner, oldest first. */
    listOf: (ownerId: UserId, db: Queryable = engine) => listAppsOf(db, ownerId),
    /**
     * Makes an app a confidential client with a new client secret, or a public client without one
     * (docs/api/authentication.md#client-types). Returns no secret when nothing changes, and undefined for an unknown
     * app.
     */
    setConfidential: (id: AppId, confidential: boolean, tx?: Tx) =>
      within('set client type', tx, (inner) => setConfidential(inner, id, confidential)),
    /**
     * Updates an app. Lowered permissions take effect at once; raised ones never apply to OAuth 1.0a tokens issued
     * before (docs/api/authentication.md#permissions). Returns undefined for an unknown app.
     */
    update: (id: AppId, changes: AppChanges, tx?: Tx) =>
      within('update app', tx, (inner) => update(inner, id, changes)),
    /**
     * Regenerates the API key and secret, the bearer token and, for a confidential client, the client secret. The old
     * ones are invalid after the commit. Users' OAuth 1.0a tokens remain valid, but must be signed with the new key and
     * secret. Returns undefined for an unknown app.
     */
    regenerateKeys: (id: AppId, tx?: Tx) =>
      within('regenerate app keys', tx, (inner) => regenerate(deps, inner, id)),
    /** Deletes an app and every token issued for it. Returns false for an unknown app. */
    delete: (id: AppId, tx?: Tx) => within('delete app', tx, (inner) => remove(deps, inner, id)),
    /**
     * Returns the bearer token for `/oauth2/token`: the given one, or a derived one. It stays the same until it is
     * revoked (docs/api/authentication.md#app-only-bearer-token). Returns undefined for an unknown app.
     */
    issueBearer: (id: AppId, tx?: Tx) =>
      within('issue app bearer', tx, (inner) => issueBearer(deps, inner, id)),
  };
}

async function create(deps: AppServiceDeps, tx: Tx, input: NewApp): Promise<CreatedApp> {
  requireAppRules(input);
  const existing = input.id === undefined ? undefined : await findApp(tx, input.id);
  if (existing) return { created: false, app: requireOwner(existing, input.ownerId) };

  const id = input.id ?? deps.ids.next<AppId>();
  const given = input.credentials?.bearerToken;
  const isDerived = input.derivesCredentials === true && given === undefined;
  const serial = isDerived ? 0 : firstBearerSerial();
  const confidential = input.confidential && input.clientSecretHash === undefined;
  const credentials = completeCredentials(input.credentials ?? {}, confidential, {
    ...(input.derivesCredentials ? derivedCredentials(deps.vault, id) : generate),
    bearerToken: () => deps.vault.bearerToken(id, serial),
  });
  const bearer = { serial, sealed: given && deps.vault.seal(given, sealOwner.appBearer(id)) };
  const app: App = {
    id,
    name: input.name,
    ownerId: input.ownerId,
    accessLevel: input.accessLevel ?? 'elevated',
    track: input.track ?? 'standard',
    permissions: input.permissions ?? 'read',
    apiKey: credentials.apiKey,
    clientId: credentials.clientId,
    confidential: input.clientSecretHash !== undefined || credentials.clientSecret !== undefined,
    redirectUris: input.redirectUris ?? [],
    description: input.description ?? '',
    website: input.website ?? '',
    createdAtMs: input.createdAtMs ?? deps.clock(),
  };
  await claimCredentials(tx, app, credentials);
  const protectedSecrets = protectSecrets(deps.vault, id, credentials);
  const { clientSecretHash = protectedSecrets.clientSecretHash } = input;
  const secrets = { ...protectedSecrets, clientSecretHash };
  if (!(await insertApp(tx, app, secrets, bearer))) {
    throw conflict(`App ${id} already exists.`);
  }
  return { created: true, app, credentials };
}

async function claimCredentials(tx: Tx, app: App, { bearerToken }: AppCredentials): Promise<void> {
  const tokenHash = hashToken(bearerToken);
  if (!(await claimApiKey(tx, app.apiKey, app.id))) throw taken('api_key', app.id);
  if (!(await claimClientId(tx, app.clientId, app.id))) throw taken('client_id', app.id);
  const placed = await insertBearerToken(tx, { tokenHash, appId: app.id, createdAtMs: app.createdAtMs });
  if (placed !== 'new') throw taken('bearer_token', app.id);
}

async function update(tx: Tx, id: AppId, changes: AppChanges): Promise<App | undefined> {
  requireAppRules(changes);
  await updateApp(tx, id, changes);
  return findApp(tx, id);
}

async function regenerate(deps: AppServiceDeps, tx: Tx, id: AppId): Promise<AppCredentials | undefined> {
  const app = await findApp(tx, id);
  if (!app) return undefined;
  const apiKey = generate.apiKey();
  const apiSecret = generate.apiSecret();
  const clientSecret = app.confidential ? generate.clientSecret() : undefined;
  if (!(await claimApiKey(tx, apiKey, id))) throw taken('api_key', id);
  await replaceAppKeys(tx, app, apiKey, protectSecrets(deps.vault, id, { apiSecret, clientSecret }));
  await revokeAppBearers(tx, id, deps.clock());
  const bearerToken = await issueBearer(deps, tx, id);
  return bearerToken === undefined
    ? undefined
    : { apiKey, apiSecret, bearerToken, clientId: app.clientId, clientSecret };
}

async function setConfidential(
  tx: Tx,
  id: AppId,
  confidential: boolean,
): Promise<{ clientSecret?: string } | undefined> {
  const app = await findApp(tx, id);
  if (!app) return undefined;
  if (app.confidential === confidential) return {};
  const clientSecret = confidential ? generate.clientSecret() : undefined;
  await setClientSecretHash(tx, clientSecret === undefined ? undefined : hashToken(clientSecret), id);
  return { clientSecret };
}

async function issueBearer(deps: AppServiceDeps, tx: Tx, id: AppId): Promise<string | undefined> {
  const bearer = await findAppBearer(tx, id);
  if (bearer === undefined) return undefined;
  if (bearer.sealed !== undefined) return deps.vault.open(bearer.sealed, sealOwner.appBearer(id));
  const token = deps.vault.bearerToken(id, bearer.serial);
  await insertBearerToken(tx, { tokenHash: hashToken(token), appId: id, createdAtMs: deps.clock() });
  return token;
}

async function remove({ clock }: AppServiceDeps, tx: Tx, id: AppId): Promise<boolean> {
  const app = await findApp(tx, id);
  if (!app) return false;
  await deleteTokensOfApp(tx, id);
  await deleteUsageOf(tx, id);
  await deleteStreamRulesOf(tx, id);
  await deleteActivitySubscriptionsOf(tx, id);
  await removeWebhooksOf(tx, id, clock());
  await deleteConnectionsOf(tx, id);
  await deleteApp(tx, app);
  return true;
}

function requireOwner(app: App, ownerId: UserId): App {
  if (app.ownerId !== ownerId) throw conflict(`App ${app.id} already exists and belongs to another user.`);
  return app;
}

function taken(credential: string, id: AppId): PipitError {
  return conflict(`The ${credential} of app ${id} is already in use by another app or user.`);
}
