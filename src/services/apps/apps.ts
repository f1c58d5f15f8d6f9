import type { AccessLevel, Permission, Track } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import { PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import type { IdSource } from '../../core/snowflake.js';
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
import type { Engine, Queryable, Tx } from '../../database/engine.js';
import { deleteUsageOf } from '../../stores/usage.js';
import { deleteTokensOfApp, insertBearerToken, revokeAppBearers } from '../../stores/tokens.js';
import {
  completeCredentials,
  firstBearerSerial,
  protectSecrets,
  type AppCredentials,
} from './app-credentials.js';
import { requireAppRules } from './app-rules.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { sealOwner, type Vault } from '../secrets/vault.js';

export interface NewApp {
  /** A new snowflake when absent. */
  readonly id?: AppId;
  readonly name: string;
  readonly ownerId: UserId;
  /** `elevated` when absent. */
  readonly accessLevel?: AccessLevel;
  /** `standard` when absent. */
  readonly track?: Track;
  /** `read` when absent. */
  readonly permissions?: Permission;
  readonly redirectUris?: readonly string[];
  /** Nothing is said when these are absent. */
  readonly description?: string;
  readonly website?: string;
  /** True for a confidential client, which gets a client secret when `credentials` bring none. */
  readonly confidential: boolean;
  /** Credentials to use; those that are absent are generated. */
  readonly credentials?: Partial<AppCredentials>;
}

/** An app that existed already is left as it is, and its credentials are not told again. */
type CreatedApp =
  | { readonly created: true; readonly app: App; readonly credentials: AppCredentials }
  | { readonly created: false; readonly app: App };

/** Registered apps. Every writing method joins `tx` when it gets one and else runs a transaction of its own. */
export interface AppService {
  /**
   * Registers an app. One whose id exists with the same owner changes nothing, so that a world file can be loaded twice.
   * Throws `conflict` for an id of another owner's app and for credentials that another app or user has;
   * `invalid-request` for a bad name, redirect URI, description, website or credential.
   */
  create(input: NewApp, tx?: Tx): Promise<CreatedApp>;
  find(id: AppId, db?: Queryable): Promise<App | undefined>;
  list(): Promise<App[]>;
  /** The apps of one owner, the oldest first. */
  listOf(ownerId: UserId, db?: Queryable): Promise<App[]>;
  /**
   * Lowered permissions hold at once; raised ones never reach OAuth 1.0a tokens issued before (docs/api/authentication.md#permissions).
   * Undefined: no such app.
   */
  update(id: AppId, changes: AppChanges, tx?: Tx): Promise<App | undefined>;
  /**
   * Makes new secrets: API key and secret, bearer token and, for a confidential client, the client secret. The old ones
   * stop working with the commit. Users' tokens stay: OAuth 1.0a ones must be signed with the new key and secret.
   * Undefined: no such app.
   */
  regenerateKeys(id: AppId, tx?: Tx): Promise<AppCredentials | undefined>;
  /**
   * Makes an app a confidential client, with a new client secret that is told once, or a public one, whose secret stops
   * working (docs/api/authentication.md#client-types). Nothing is changed, and no secret told, when it is so already. Undefined: no such app.
   */
  setConfidential(
    id: AppId,
    confidential: boolean,
    tx?: Tx,
  ): Promise<{ readonly clientSecret?: string } | undefined>;
  /** Deletes an app and every token issued for it. False: no such app. */
  delete(id: AppId, tx?: Tx): Promise<boolean>;
  /**
   * The bearer token that `/oauth2/token` answers: the one that the app was given, or else a derived one; the same until
   * it is revoked (docs/api/authentication.md#app-only-bearer-token). Undefined: no such app.
   */
  issueBearer(id: AppId, tx?: Tx): Promise<string | undefined>;
}

export interface AppServiceDeps {
  readonly engine: Engine;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly vault: Vault;
}

export function createAppService(deps: AppServiceDeps): AppService {
  const { engine } = deps;
  const within = <T>(name: string, tx: Tx | undefined, body: (tx: Tx) => Promise<T>) =>
    tx ? body(tx) : engine.tx(name, body);
  return {
    create: (input, tx) => within('create app', tx, (inner) => create(deps, inner, input)),
    find: (id, db = engine) => findApp(db, id),
    list: () => listApps(engine),
    listOf: (ownerId, db = engine) => listAppsOf(db, ownerId),
    setConfidential: (id, confidential, tx) =>
      within('set client type', tx, (inner) => setConfidential(inner, id, confidential)),
    update: (id, changes, tx) => within('update app', tx, (inner) => update(inner, id, changes)),
    regenerateKeys: (id, tx) => within('regenerate app keys', tx, (inner) => regenerate(deps, inner, id)),
    delete: (id, tx) => within('delete app', tx, (inner) => remove(inner, id)),
    issueBearer: (id, tx) => within('issue app bearer', tx, (inner) => issueBearer(deps, inner, id)),
  };
}

async function create(deps: AppServiceDeps, tx: Tx, input: NewApp): Promise<CreatedApp> {
  requireAppRules(input);
  const existing = input.id === undefined ? undefined : await findApp(tx, input.id);
  if (existing) return { created: false, app: requireOwner(existing, input.ownerId) };

  const id = input.id ?? deps.ids.next<AppId>();
  const serial = firstBearerSerial();
  const credentials = completeCredentials(input.credentials ?? {}, input.confidential, () =>
    deps.vault.bearerToken(id, serial),
  );
  const given = input.credentials?.bearerToken;
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
    confidential: credentials.clientSecret !== undefined,
    redirectUris: input.redirectUris ?? [],
    description: input.description ?? '',
    website: input.website ?? '',
    createdAtMs: deps.clock(),
  };
  await claimCredentials(tx, app, credentials);
  if (!(await insertApp(tx, app, protectSecrets(deps.vault, id, credentials), bearer))) {
    throw conflict(`App ${id} exists already.`);
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
  await setClientSecretHash(tx, id, clientSecret === undefined ? undefined : hashToken(clientSecret));
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

async function remove(tx: Tx, id: AppId): Promise<boolean> {
  const app = await findApp(tx, id);
  if (!app) return false;
  await deleteTokensOfApp(tx, id);
  await deleteUsageOf(tx, id);
  await deleteApp(tx, app);
  return true;
}

function requireOwner(app: App, ownerId: UserId): App {
  if (app.ownerId !== ownerId) throw conflict(`App ${app.id} exists already and belongs to another user.`);
  return app;
}

function taken(credential: string, id: AppId): PipitError {
  return conflict(`The ${credential} of app ${id} is another app's or user's already.`);
}

function conflict(detail: string): PipitError {
  return new PipitError({ code: 'conflict', detail });
}
