import type { UserId } from '../core/ids.js';
import { isLoopback } from '../core/loopback.js';
import type { Visit } from './visit.js';

interface Owned {
  readonly ownerId: UserId;
}

/**
 * Returns the user in whose name a request is granted at once (`--consent auto`): the signed-in user, or the app's owner.
 * Returns undefined if a person has to decide, as for every redirect that leaves this machine.
 */
export type AutoConsent = (visit: Visit, app: Owned, redirectUri: string | undefined) => UserId | undefined;

/** Creates the decision. `isOn` is for tests only. */
export function createAutoConsent(isOn: boolean): AutoConsent {
  return ({ viewer }, app, redirectUri) => {
    if (!isOn || redirectUri === undefined || !endsHere(new URL(redirectUri))) return undefined;
    return viewer?.user.id ?? app.ownerId;
  };
}

/**
 * Reports whether a redirect stays on this machine. Only http and https count: any program may have registered another
 * scheme, whatever the host is.
 */
function endsHere({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}
