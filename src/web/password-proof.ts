import type { ClientAddress } from '../auth/client-address.js';
import type { PasswordCheck } from '../auth/sign-in.js';
import type { ProvenPassword } from '../services/accounts/authority.js';
import type { SignedInVisit } from './visit.js';

/** What it takes to ask for a password again. */
export interface PasswordProof {
  readonly passwords: PasswordCheck;
  readonly addressOf: ClientAddress;
}

export const WRONG_PASSWORD = 'This is not your password.';

/**
 * Checks the password of who is signed in, asked for again where a browser that was left open must not be enough;
 * undefined for a wrong one. Whoever acts on the proof checks it again in the transaction. Throws `rate-limited` as the
 * sign-in does.
 */
export async function proveOwnPassword(
  { passwords, addressOf }: PasswordProof,
  { viewer, request }: SignedInVisit,
  password: string,
): Promise<ProvenPassword | undefined> {
  const { username } = viewer.user;
  const outcome = await passwords.attempt({ username, password, address: addressOf(request) });
  return outcome.kind === 'signed-in' ? outcome.proof : undefined;
}
