const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/**
 * How long to wait after a failed attempt (1 is the first), in milliseconds: a second, doubled with each attempt up to
 * an hour. `random` gives a number from 0 to below 1; the wait is between half and all of that time, so that jobs that
 * failed together do not come back together.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return Math.round(fullMs * (0.5 + random() / 2));
}
