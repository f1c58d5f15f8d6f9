/**
 * Returns a generator of ranks from 0 to below `count`, of which rank r has the weight 1 / (r + `offset`); `random`
 * returns numbers from 0 to below 1.
 */
export function zipf(count: number, random: () => number, offset = 5): () => number {
  return weighted(
    Float64Array.from({ length: count }, (_unused, rank) => 1 / (rank + offset)),
    random,
  );
}

/** Returns a generator of indexes with these weights; `random` as above. */
export function weighted(weights: ArrayLike<number>, random: () => number): () => number {
  const bounds = new Float64Array(weights.length);
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) {
    sum += weights[index] ?? 0;
    bounds[index] = sum;
  }
  return () => firstAbove(bounds, random() * sum);
}

/** Returns a copy in random order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let left = copy.length - 1; left > 0; left -= 1) {
    const other = Math.floor(random() * (left + 1));
    [copy[left], copy[other]] = [copy[other] as T, copy[left] as T];
  }
  return copy;
}

/** Returns the index of the first bound above the value, or the last index. */
function firstAbove(bounds: Float64Array, value: number): number {
  let [low, high] = [0, bounds.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
