import { permits } from '../../core/access.js';
import { forbidden, PipitError, conflict } from '../../core/errors.js';
import type { AppId, UserId } from '../../core/ids.js';
import type { App } from '../../stores/apps.js';
import type { Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/locks.js';
import { findUser } from '../../stores/users.js';
import { lockActiveAccount } from '../accounts/authority.js';
import type { AppCredentials } from './app-credentials.js';
import type { NewApp } from './apps.js';
import type { AccountDeps } from '../accounts/account-deps.js';

/** An app as presented to its owner. */
export type OwnApp = App;

/** Bounds the number of apps per user, so that no user can fill the server. */
export const MAX_APPS_OF_ONE = 20;

type Deps = Pick<AccountDeps, 'engine' | 'apps'>;

/** The form of a new app. */
export type NewOwnApp = Required<
  Pick<NewApp, 'name' | 'permissions' | 'redirectUris' | 'description' | 'website' | 'confidential'>
>;

/**
 * Registers an app of a user on the standard track. Throws `forbidden` when the user has too many apps, and
 * `invalid-request` for an invalid form.
 */
export function createOwnApp(
  { engine, apps }: Deps,
  ownerId: UserId,
  input: NewOwnApp,
): Promise<{ readonly app: OwnApp; readonly credentials: AppCredentials }> {
  const create = async (tx: Tx) => {
    await lockUsers(tx, [ownerId]);
    if ((await apps.listOf(ownerId, tx)).length >= MAX_APPS_OF_ONE) {
      throw forbidden(`You may have at most ${MAX_APPS_OF_ONE} apps.`);
    }
    // No app may be created while the account is being deleted.
    if ((await findUser(tx, ownerId))?.suspended !== false) throw forbidden('This account is closed.');
    const created = await apps.create({ ...input, ownerId }, tx);
    if (!created.created) throw conflict('The app already exists.');
    return created;
  };
  // The owner's lock serializes the creation of apps, so the count stays correct.
  return engine.tx('create own app', create, 'read-committed');
}

/**
 * Returns the user's app with this id. Throws the same `route-not-found` for unknown apps and those of others, so
 * that ids are not disclosed.
 */
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

/** The result of a change to an app. */
export interface ChangedApp {
  readonly app: OwnApp;
  /**
   * True when existing tokens keep lesser permissions until users authorize the app again
   * (docs/api/authentication.md#permissions).
   */
  readonly isRaised: boolean;
  /** The new secret of an app that became confidential; it is not stored in plain text. */
  readonly clientSecret: string | undefined;
}

/**
 * Runs an owner's change to an app in one transaction. Throws as `requireOwnApp` does, and `forbidden` when the owner
 * was suspended or deleted.
 */
export function withOwnApp<T>(
  { engine, apps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
  body: (tx: Tx, app: OwnApp) => Promise<T>,
): Promise<T> {
  return engine.tx('change own app', async (tx) => {
    await lockActiveAccount(tx, ownerId);
    return body(tx, await requireOwnApp({ apps }, ownerId, appId, tx));
  });
}

/** Changes a user's app; operators set access level and track. Throws as `withOwnApp` does, and `invalid-request` for an invalid form. */
export function changeOwnApp(
  { engine, apps }: Deps,
  ownerId: UserId,
  appId: AppId | undefined,
  { confidential, ...changes }: NewOwnApp,
): Promise<ChangedApp> {
  return withOwnApp({ engine, apps }, ownerId, appId, async (tx, before) => {
    const type = await apps.setConfidential(before.id, confidential, tx);
    await apps.update(before.id, changes, tx);
    const app = await requireOwnApp({ apps }, ownerId, appId, tx);
    const isRaised = !permits(before.permissions, app.permissions);
    return { app, isRaised, clientSecret: type?.clientSecret };
  });
}

/** Regenerates all keys of a user's app and resolves to the new ones. Throws as `withOwnApp` does. */
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

/** Deletes a user's app with every token issued for it. Throws as `withOwnApp` does. */
export async function deleteOwnApp(deps: Deps, ownerId: UserId, appId: AppId | undefined): Promise<void> {
  await withOwnApp(deps, ownerId, appId, (tx, { id }) => deps.apps.delete(id, tx));
}
