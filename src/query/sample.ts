/** An odd factor near 2^64 divided by the golden ratio, which spreads adjacent ids evenly (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b97f4a7c15n;

/**
 * Returns the percentile of a post for `sample:`, 0 to 99. It never changes, so `sample:10` is a subset of
 * `sample:20`.
 */
export function samplePercentile(postId: bigint): number {
  return Number((BigInt.asUintN(64, postId * SPREAD) >> 32n) % 100n);
}
