import type { Principal } from '../core/access.js';
import type { UserId } from '../core/ids.js';

/** Who looks: the user of a user context, nobody in particular for an app. */
export function viewerOf(principal: Principal): UserId | undefined {
  return principal.context === 'app' ? undefined : principal.userId;
}
