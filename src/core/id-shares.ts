/** An odd factor near 2^64 divided by the golden ratio, which spreads adjacent ids evenly (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b97f4a7c15n;

/**
 * Returns the percentile of a post for `sample:`, 0 to 99. It never changes, so `sample:10` is a subset of
 * `sample:20`.
 */
export function samplePercentile(postId: bigint): number {
  return Number((BigInt.asUintN(64, postId * SPREAD) >> 32n) % 100n);
}

const LOW = 0xffff_ffffn;

/**
 * Returns the part, 1 to `parts`, that an id belongs to. It never changes. Ids of every age and origin spread evenly
 * over the parts, independently of `samplePercentile`.
 */
export function partOf(id: bigint, parts: number): number {
  return (mixed(mixed(Number(id & LOW)) ^ Number(id >> 32n)) % parts) + 1;
}

/** Mixes the bits of a number of 32 bits by the last step of MurmurHash3. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
