/** Returns numbers from 0 to below 1. */
export type Random = () => number;

/**
 * Creates a sequence that looks random and is the same for the same seed and name (mulberry32). Not for secrets.
 * `seed` is an integer.
 */
export function seededRandom(seed: number, name = 0): Random {
  let state = (seed ^ Math.imul(name + 1, 0x9e37_79b9)) >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
