/** A worker that ran this long did not fail at startup. */
export const STEADY_MS = 10_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;

/**
 * Returns the delay before a worker is replaced after `earlyEnds` consecutive workers ended soon after their start:
 * none for the first, then 0.2 s, doubling up to 30 s.
 */
export function replacementDelayMs(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlyEnds - 1));
}
