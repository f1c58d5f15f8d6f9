import { permits, type Permission, type Scope } from '../../core/access.js';
import type { AppId, UserId } from '../../core/ids.js';
import { shownAppName } from '../apps/app-profile.js';
import { listAppGrants, revokeAppGrants } from '../../stores/app-grants.js';
import type { AccountDeps } from './account-deps.js';

/** An app with access to a user's account, and the combined rights of its tokens. */
export interface ConnectedApp {
  readonly appId: AppId;
  readonly appName: string;
  /** The creation time of the oldest token. */
  readonly sinceMs: number;
  readonly scopes: ReadonlySet<Scope>;
  /** The greatest permission of its OAuth 1.0a tokens; undefined without any. */
  readonly permission: Permission | undefined;
}

type Deps = Pick<AccountDeps, 'engine' | 'clock'>;

/** Lists the apps with access to a user's account, by their oldest token. */
export async function connectedApps({ engine, clock }: Deps, userId: UserId): Promise<ConnectedApp[]> {
  const apps = new Map<AppId, ConnectedApp>();
  for (const grant of await listAppGrants(engine, userId, clock())) {
    const known = apps.get(grant.appId);
    apps.set(grant.appId, {
      appId: grant.appId,
      appName: shownAppName(grant.appName),
      sinceMs: known?.sinceMs ?? grant.createdAtMs,
      scopes: new Set([...(known?.scopes ?? []), ...(grant.scopes ?? [])]),
      permission: greaterPermission(known?.permission, grant.permission),
    });
  }
  return [...apps.values()];
}

/** Revokes all tokens of an app for a user at once; returns false when there were none. */
export async function disconnectApp({ engine, clock }: Deps, userId: UserId, appId: AppId): Promise<boolean> {
  return (await engine.tx('disconnect app', (tx) => revokeAppGrants(tx, userId, appId, clock()))) > 0;
}

function greaterPermission(one?: Permission, other?: Permission): Permission | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return permits(one, other) ? one : other;
}
