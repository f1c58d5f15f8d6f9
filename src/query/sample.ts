/** An odd factor near 2^64 divided by the golden ratio: neighbouring ids spread evenly (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b97f4a7c15n;

/**
 * The place of a post, 0 to 99, among the hundred equal parts that `sample:` tells apart: the same at every request, so
 * that `sample:10` is part of `sample:20`.
 */
export function samplePercentile(postId: bigint): number {
  return Number((BigInt.asUintN(64, postId * SPREAD) >> 32n) % 100n);
}
