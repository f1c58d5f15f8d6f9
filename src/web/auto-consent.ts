import type { UserId } from '../core/ids.js';
import { isLoopback } from '../core/loopback.js';
import type { Visit } from './visit.js';

interface Owned {
  readonly ownerId: UserId;
}

/**
 * Returns the user for whom a request is granted without a question (`--consent auto`): the signed-in one, or the app's
 * owner. Returns undefined if a person decides, as for every redirect that leaves this machine.
 */
export type AutoConsent = (visit: Visit, app: Owned, redirectUri: string | undefined) => UserId | undefined;

/** Creates the decision. `isOn` is for tests only. */
export function createAutoConsent(isOn: boolean): AutoConsent {
  return ({ viewer }, app, redirectUri) => {
    if (!isOn || redirectUri === undefined || !endsHere(new URL(redirectUri))) return undefined;
    return viewer?.user.id ?? app.ownerId;
  };
}

/** The host of an address with a scheme of its own says nothing: any program may have registered the scheme. */
function endsHere({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}
