import { permits, type Permission, type Scope } from '../../core/access.js';
import type { AppId, UserId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { listHeldAccess } from '../../stores/app-grants.js';
import { grouped } from '../../core/grouped.js';

/** A user who subscribed with an app. */
interface Subscriber {
  readonly appId: AppId;
  readonly userId: UserId;
}

/** What receiving takes. */
interface NeededAccess {
  /** An OAuth 2.0 token needs all of them. */
  readonly scopes: readonly Scope[];
  /** Default: read. */
  readonly permission?: Permission;
}

/**
 * Loads what apps may do for subscribers now, with one statement. Returns a function that reports whether the app of a
 * subscriber may receive something (docs/api/activity.md#end-of-access).
 */
export async function loadSubscriberAccess(
  db: Queryable,
  subscribers: readonly Subscriber[],
  nowMs: number,
): Promise<(subscriber: Subscriber, needed: NeededAccess) => boolean> {
  const apps = new Set(subscribers.map(({ appId }) => appId));
  const users = new Set(subscribers.map(({ userId }) => userId));
  const held = await listHeldAccess(db, [...apps], [...users], nowMs);
  const byPair = grouped(held.map((access) => [keyOf(access), access]));
  return (subscriber, { scopes: needed, permission = 'read' }) =>
    (byPair.get(keyOf(subscriber)) ?? []).some(
      (access) =>
        permits(access.permission, permission) &&
        (access.scopes === undefined || needed.every((scope) => access.scopes?.has(scope))),
    );
}

function keyOf({ appId, userId }: Subscriber): string {
  return `${appId} ${userId}`;
}
