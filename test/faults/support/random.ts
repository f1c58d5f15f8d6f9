/** Deterministic pseudo-random numbers from a seed, so that a failing round can be repeated. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Creates a mulberry32 generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
