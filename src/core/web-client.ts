import { type AppAccess, type Principal, SCOPES } from './access.js';
import type { AppId, UserId } from './ids.js';

/**
 * The app of the web client, which reads and writes through the API as other clients do. It is stored nowhere, and it
 * has no secrets: a browser's session stands for its token. Its requests are not part of any project's usage, and its
 * limits are wider than those of other apps (docs/web.md#limits).
 */
const WEB_CLIENT: AppAccess = {
  id: 0n as AppId,
  name: 'Pipit',
  clientId: 'pipit-web',
  accessLevel: 'elevated',
  track: 'academic_research',
  permissions: 'read_write_dm',
};

const ALL_SCOPES: ReadonlySet<(typeof SCOPES)[number]> = new Set(SCOPES);

/** Returns the sender of the web client's calls: the signed-in user, or the app for visitors. */
export function webPrincipal(userId: UserId | undefined): Principal {
  return userId === undefined
    ? { context: 'app', app: WEB_CLIENT }
    : { context: 'oauth2', app: WEB_CLIENT, userId, permission: 'read_write_dm', scopes: ALL_SCOPES };
}

/** Reports whether an app is the web client. */
export function isWebClient({ id }: Pick<AppAccess, 'id'>): boolean {
  return id === WEB_CLIENT.id;
}
