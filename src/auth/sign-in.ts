import type { User } from '../core/user.js';
import { MAX_PASSWORD_LENGTH } from '../services/accounts/account-rules.js';
import type { ProvenPassword } from '../services/accounts/authority.js';
import { standingOf } from '../services/accounts/standing.js';
import { hashPassword, isPassword } from '../services/secrets/secrets.js';
import type { Engine } from '../database/engine.js';
import { findSuspension } from '../stores/suspensions.js';
import { findPasswordHash, findUserByUsername } from '../stores/users.js';
import {
  ATTEMPT_WINDOW_SECONDS,
  type AttemptLimit,
  countAttempt,
  uncountAttempt,
} from '../limits/attempts.js';
import { createMemoryWindows, type RateWindowStore } from '../limits/rate-windows.js';
import type { ServiceDeps } from '../services/service-deps.js';

/** The limits of wrong passwords per window. Beyond them even a right one is refused. */
export const SIGN_IN_LIMITS = {
  windowSeconds: ATTEMPT_WINDOW_SECONDS,
  /** For one account from one address. */
  accountAndAddress: 10,
  /** From one address, for any accounts. */
  address: 50,
  /** For one account from any address: much higher, since it lets others lock the owner out. */
  account: 200,
} as const;

interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  /** See `ClientAddress`. */
  readonly address: string;
}

/**
 * `wrong`: no such user, no password, or another one. The other refusals are shown only to a holder of the password.
 */
type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly user: User; readonly proof: ProvenPassword }
  | { readonly kind: 'wrong' }
  /** The owner deactivated the account and may reactivate it. */
  | { readonly kind: 'deactivated'; readonly proof: ProvenPassword }
  | { readonly kind: 'suspended'; readonly reason: string };

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

interface PasswordCheckDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  /** Exchanged between the workers of a server; in memory if absent. */
  readonly windows?: RateWindowStore;
}

/** Longer than any username; bounds the memory of counted names. */
const MAX_COUNTED_NAME_LENGTH = 50;

export function createPasswordCheck({ engine, clock, windows = createMemoryWindows() }: PasswordCheckDeps) {
  return {
    /**
     * Checks a username (any case, with or without `@`) and password, with the same work for unknown users. Throws
     * `rate-limited` after too many wrong attempts.
     */
    attempt: async (attempt: SignInAttempt): Promise<SignInOutcome> => {
      const username = attempt.username.trim().replace(/^@/, '');
      const counted = limitsOf(username, attempt.address);
      // Counted before the check, so that concurrent guesses at one worker cannot exceed the limit.
      countAttempt(windows, counted, clock());
      const user = await findUserByUsername(engine, username);
      const passwordHash = await provePassword(engine, user, attempt.password);
      if (passwordHash === undefined || !user) return { kind: 'wrong' };
      uncountAttempt(windows, counted, clock());
      const proof = { userId: user.id, passwordHash };
      const standing = await standingOf(engine, user);
      if (standing === 'active') return { kind: 'signed-in', user, proof };
      if (standing === 'deactivated') return { kind: 'deactivated', proof };
      return { kind: 'suspended', reason: (await findSuspension(engine, user.id))?.reason ?? '' };
    },
  };
}

function limitsOf(username: string, address: string): readonly AttemptLimit[] {
  const name = username.slice(0, MAX_COUNTED_NAME_LENGTH).toLowerCase();
  return [
    { key: `sign-in ${name} ${address}`, limit: SIGN_IN_LIMITS.accountAndAddress },
    { key: `sign-in from ${address}`, limit: SIGN_IN_LIMITS.address },
    { key: `sign-in as ${name}`, limit: SIGN_IN_LIMITS.account },
  ];
}

/**
 * Returns the stored hash that the password matches; undefined for a wrong one. A hash is computed in every case, so
 * the time reveals nothing.
 */
async function provePassword(
  engine: Engine,
  user: User | undefined,
  password: string,
): Promise<string | undefined> {
  const given = password.slice(0, MAX_PASSWORD_LENGTH + 1);
  const passwordHash = user && (await findPasswordHash(engine, user.id));
  if (passwordHash === undefined) {
    await hashPassword(given);
    return undefined;
  }
  const isRight = (await isPassword(passwordHash, given)) && given.length <= MAX_PASSWORD_LENGTH;
  return isRight ? passwordHash : undefined;
}
