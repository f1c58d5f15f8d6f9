/** A worker that lived for so long has no fault of its start. */
export const STEADY_MS = 10_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;

/**
 * How long to wait before a worker is replaced, when so many in a row before it ended soon after their start: nothing the
 * first time, then 0.2 s, doubling up to 30 s.
 */
export function replacementDelayMs(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlyEnds - 1));
}
