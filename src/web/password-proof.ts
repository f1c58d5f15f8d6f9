import type { ProvenPassword } from '../services/accounts/authority.js';
import type { SignedInVisit } from './visit.js';
import type { WebContext } from './web-context.js';

export const WRONG_PASSWORD = 'The password is wrong.';

/**
 * Verifies the signed-in user's password, for actions that an open browser alone must not permit. Returns undefined
 * for a wrong one. Callers must check the proof again in their transaction. Throws `rate-limited` as sign-in does.
 */
export async function proveOwnPassword(
  { passwords, addressOf }: WebContext,
  { viewer, request }: SignedInVisit,
  password: string,
): Promise<ProvenPassword | undefined> {
  const { username } = viewer.user;
  const outcome = await passwords.attempt({ username, password, address: addressOf(request) });
  return outcome.kind === 'signed-in' ? outcome.proof : undefined;
}
