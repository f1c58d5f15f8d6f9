import type { Permission } from '../../core/access.js';
import { permits } from '../../core/access.js';
import { forbidden, PipitError } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import type { App } from '../../stores/apps.js';
import type { Engine, Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/user-locks.js';
import { findUser } from '../../stores/users.js';
import { lockActiveAccount } from '../accounts/authority.js';
import type { AppCredentials } from './app-credentials.js';
import type { AppService } from './apps.js';
import type { IssuedOAuth1Token, TokenService } from './tokens.js';

/** An app as its owner sees it. */
export type OwnApp = App;

/** Enough for anybody, and few enough that nobody fills the server with them. */
export const MAX_APPS_OF_ONE = 20;

interface Deps {
  readonly engine: Engine;
  readonly apps: AppService;
}

/** What an owner says about a new app. */
export interface NewOwnApp {
  readonly name: string;
  readonly permissions: Permission;
  readonly redirectUris: readonly string[];
  readonly description: string;
  readonly website: string;
  readonly confidential: boolean;
}

/**
 * Registers an app of a user's own, on the standard track. Throws `forbidden` when the user has too many,
 * `invalid-request` for what the form of an app refuses.
 */
export function createOwnApp(
  { engine, apps }: Deps,
  ownerId: UserId,
  input: NewOwnApp,
): Promise<{ readonly app: OwnApp; readonly credentials: AppCredentials }> {
  const create = async (tx: Tx) => {
    await lockUsers(tx, [ownerId]);
    if ((await apps.listOf(ownerId, tx)).length >= MAX_APPS_OF_ONE) {
      throw forbidden(`Nobody may have more than ${MAX_APPS_OF_ONE} apps.`);
    }
    // Whose account is being deleted gets no app that nobody could delete any more.
    if ((await findUser(tx, ownerId))?.suspended !== false) throw forbidden('This account is closed.');
    const created = await apps.create({ ...input, ownerId }, tx);
    if (!created.created) throw new PipitError({ code: 'conflict', detail: 'The app exists already.' });
    return created;
  };
  // Whoever adds an app for this owner holds the owner's lock, so what is counted here stays so.
  return engine.tx('create own app', create, 'read-committed');
}

/** The user's app with this id. Throws `route-not-found` for another's as for none: nobody learns which there are. */
export async function requireOwnApp(
  { apps }: Pick<Deps, 'apps'>,
  ownerId: UserId,
  appId: AppId | undefined,
  tx?: Tx,
): Promise<OwnApp> {
  const app = appId === undefined ? undefined : await apps.find(appId, tx);
  if (app?.ownerId !== ownerId) throw new PipitError({ code: 'route-not-found' });
  return app;
}

/** What an owner may change; the level of access and the track are the operator's to grant. */
export type OwnAppChanges = NewOwnApp;

/** What a change of an app led to. */
export interface ChangedApp {
  readonly app: OwnApp;
  /** Tokens of before keep the lesser right until users allow the app anew (docs/api/authentication.md#permissions). */
  readonly isRaised: boolean;
  /** For an app that has become confidential: told once. */
  readonly clientSecret: string | undefined;
}

/**
 * Runs what an owner does to an app in one transaction. Throws as `requireOwnApp`, and `forbidden` for an owner who was
 * suspended or left meanwhile.
 */
function withOwnApp<T>(
  { engine, apps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
  body: (tx: Tx, app: OwnApp) => Promise<T>,
): Promise<T> {
  return engine.tx('act on own app', async (tx) => {
    await lockActiveAccount(tx, ownerId);
    return body(tx, await requireOwnApp({ apps }, ownerId, appId, tx));
  });
}

/** Changes a user's app. Throws as `withOwnApp`, and `invalid-request` for a bad name or redirect URI. */
export function changeOwnApp(
  { engine, apps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
  { confidential, ...changes }: OwnAppChanges,
): Promise<ChangedApp> {
  return withOwnApp({ engine, apps }, ownerId, appId, async (tx, before) => {
    const type = await apps.setConfidential(before.id, confidential, tx);
    await apps.update(before.id, changes, tx);
    const app = await requireOwnApp({ apps }, ownerId, appId, tx);
    const isRaised = !permits(before.permissions, app.permissions);
    return { app, isRaised, clientSecret: type?.clientSecret };
  });
}

/** An OAuth 1.0a token for the owner's own account, as for a bot. Throws as `withOwnApp`. */
export function issueOwnToken(
  { tokens, ...deps }: Deps & { readonly tokens: TokenService },
  ownerId: UserId,
  appId: AppId | undefined,
): Promise<IssuedOAuth1Token> {
  return withOwnApp(deps, ownerId, appId, (tx, { id }) =>
    tokens.issueOAuth1({ appId: id, userId: ownerId }, tx),
  );
}

/** Replaces all keys of a user's app; resolves to the new ones, which are told once. Throws as `withOwnApp`. */
export function regenerateOwnKeys(
  deps: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
): Promise<{ readonly app: OwnApp; readonly credentials: AppCredentials }> {
  return withOwnApp(deps, ownerId, appId, async (tx, app) => {
    const credentials = await deps.apps.regenerateKeys(app.id, tx);
    if (!credentials) throw new PipitError({ code: 'route-not-found' });
    return { app, credentials };
  });
}

/** Deletes a user's app with every token issued for it. Throws as `withOwnApp`. */
export async function deleteOwnApp(deps: Deps, ownerId: UserId, appId: AppId | undefined): Promise<void> {
  await withOwnApp(deps, ownerId, appId, (tx, { id }) => deps.apps.delete(id, tx));
}
