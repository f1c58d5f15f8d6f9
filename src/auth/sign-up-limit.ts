import type { Clock } from '../core/clock.js';
import { countAttempt } from './sign-in.js';
import type { RateWindowStore } from './rate-windows.js';

/** How many forms of sign-up, or of new passwords by link, one address may send within a window: each hashes a password. */
export const SIGN_UP_LIMIT = { windowSeconds: 900, address: 20 } as const;

/** Counts a form from an address. Throws `rate-limited` after too many. */
export type SignUpLimit = (address: string) => void;

export function createSignUpLimit({
  windows,
  clock,
}: {
  readonly windows: RateWindowStore;
  readonly clock: Clock;
}): SignUpLimit {
  return (address) =>
    countAttempt(windows, [{ key: `sign-up from ${address}`, limit: SIGN_UP_LIMIT.address }], clock());
}
