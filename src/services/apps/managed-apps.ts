import type { AuditTarget } from '../../core/audit.js';
import type { AppId, UserId } from '../../core/ids.js';
import type { App, AppChanges } from '../../stores/apps.js';
import { asOperator } from '../accounts/authority.js';
import type { AccountDeps } from '../accounts/account-deps.js';
import { recordAction } from '../audit/record-action.js';
import type { AppCredentials } from './app-credentials.js';
import type { NewApp } from './apps.js';

/**
 * What operators and the command line (without `operatorId`) do with apps of any owner, with an entry in the audit log.
 * Each throws `forbidden` for a user who is not an operator.
 */

type Deps = Pick<AccountDeps, 'engine' | 'ids' | 'clock' | 'apps'>;

/** Creates an app; see `AppService.create`. */
export function createManagedApp(deps: Deps, input: NewApp, operatorId?: UserId) {
  return asOperator(deps, operatorId, 'create app', async (tx) => {
    const created = await deps.apps.create(input, tx);
    if (created.created) {
      await recordAction(tx, deps, operatorId, { action: 'app.create', target: targetOf(created.app) });
    }
    return created;
  });
}

/** Changes an app. Returns undefined for an unknown one. */
export function updateManagedApp(
  deps: Deps,
  id: AppId,
  changes: AppChanges,
  operatorId?: UserId,
): Promise<App | undefined> {
  return asOperator(deps, operatorId, 'update app', async (tx) => {
    const before = await deps.apps.find(id, tx);
    const after = await deps.apps.update(id, changes, tx);
    if (!before || !after) return undefined;
    const target = targetOf(after);
    await recordAction(tx, deps, operatorId, {
      action: 'app.update',
      target,
      detail: difference(before, after),
    });
    return after;
  });
}

/** Regenerates the keys of an app. Returns undefined for an unknown one. */
export function regenerateManagedKeys(
  deps: Deps,
  id: AppId,
  operatorId?: UserId,
): Promise<AppCredentials | undefined> {
  return asOperator(deps, operatorId, 'regenerate app keys', async (tx) => {
    const app = await deps.apps.find(id, tx);
    const credentials = await deps.apps.regenerateKeys(id, tx);
    if (!app || !credentials) return undefined;
    await recordAction(tx, deps, operatorId, { action: 'app.regenerate_keys', target: targetOf(app) });
    return credentials;
  });
}

/** Deletes an app. Returns false for an unknown one. */
export function deleteManagedApp(deps: Deps, id: AppId, operatorId?: UserId): Promise<boolean> {
  return asOperator(deps, operatorId, 'delete app', async (tx) => {
    const app = await deps.apps.find(id, tx);
    if (!app || !(await deps.apps.delete(id, tx))) return false;
    await recordAction(tx, deps, operatorId, { action: 'app.delete', target: targetOf(app) });
    return true;
  });
}

function targetOf({ id, name }: App): AuditTarget {
  return { kind: 'app', id, name };
}

/** The members that operators change, as the log names them. */
const LABELS = {
  name: 'name',
  accessLevel: 'access level',
  track: 'track',
  permissions: 'permissions',
  redirectUris: 'redirect URIs',
  description: 'description',
  website: 'website',
} as const satisfies Partial<Record<keyof App, string>>;

function difference(before: App, after: App): string {
  const members = Object.keys(LABELS) as (keyof typeof LABELS)[];
  const changed = members.filter((member) => String(before[member]) !== String(after[member]));
  return changed
    .map((member) => `${LABELS[member]}: ${String(before[member])} → ${String(after[member])}`)
    .join('; ');
}
