const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/**
 * Returns the delay after a failed attempt (1 is the first), in milliseconds. The base doubles from 1 s up to 1 h.
 * Jitter from `random` (0 to below 1) gives 50–100% of the base, so that jobs that failed together retry apart.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return Math.round(fullMs * (0.5 + random() / 2));
}
