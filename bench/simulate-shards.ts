import type { Network } from './simulate-network.js';

/** How evenly a load falls on shards. */
export interface Evenness {
  /** The busiest shard of the whole run, as a multiple of the mean. */
  readonly busiest: number;
  /** The 99th percentile of the busiest shard of a second, as a multiple of the mean. */
  readonly busiestSecond: number;
}

export interface ShardLoad {
  readonly shards: number;
  /** Entries of fan-out, by the shard of their reader. */
  readonly entries: Evenness;
  /** Posts and reads of single users, by the shard of the author. */
  readonly posts: Evenness;
  /** Reads of the lists that home pages merge, by the shard of their author. */
  readonly merges: Evenness;
  /** The share of these reads that the lists of the 1,000 most followed authors answer from a cache. */
  readonly cachedMerges: number;
}

export interface ShardRun {
  readonly shards: number;
  readonly seconds: number;
  readonly postsPerSecond: number;
  readonly homesPerSecond: number;
  readonly threshold: number;
  readonly random: () => number;
}

const CACHED_LISTS = 1_000;

/** Draws posts and home pages for some seconds and counts what each shard does. Users are spread by their hash. */
export function shardLoad(network: Network, run: ShardRun): ShardLoad {
  const { shards, seconds, threshold, random } = run;
  const [entries, posts, merges] = [newCounts(run), newCounts(run), newCounts(run)];
  const cachedFrom = followersOfRank(network.followers, CACHED_LISTS);
  let [merged, cached] = [0, 0];
  for (let second = 0; second < seconds; second += 1) {
    const at = second * shards;
    for (let post = 0; post < run.postsPerSecond; post += 1) {
      const author = network.drawAuthor();
      add(posts, at + shardOf(author, shards), 1);
      const count = network.followers[author] ?? 0;
      if (count <= threshold) spread(entries, at, shards, count, random);
    }
    for (let home = 0; home < run.homesPerSecond; home += 1) {
      for (const author of network.drawFollows()) {
        const count = network.followers[author] ?? 0;
        if (count <= threshold) continue;
        merged += 1;
        if (count >= cachedFrom) cached += 1;
        add(merges, at + shardOf(author, shards), 1);
      }
    }
  }
  return {
    shards,
    entries: evennessOf(entries, run),
    posts: evennessOf(posts, run),
    merges: evennessOf(merges, run),
    cachedMerges: merged === 0 ? 0 : cached / merged,
  };
}

/** One count for each shard in each second. */
function newCounts({ seconds, shards }: ShardRun): Float64Array {
  return new Float64Array(seconds * shards);
}

function add(counts: Float64Array, at: number, value: number): void {
  counts[at] = (counts[at] ?? 0) + value;
}

/** Spreads entries over shards: whole shares, and the rest at random. */
function spread(
  counts: Float64Array,
  at: number,
  shards: number,
  entries: number,
  random: () => number,
): void {
  const share = Math.floor(entries / shards);
  if (share > 0) for (let shard = 0; shard < shards; shard += 1) add(counts, at + shard, share);
  for (let left = entries - share * shards; left > 0; left -= 1) {
    add(counts, at + Math.floor(random() * shards), 1);
  }
}

/** Returns the shard of a user by a hash, so that neighbouring users are apart (Knuth's multiplicative hash). */
function shardOf(user: number, shards: number): number {
  return Math.floor((((Math.imul(user, 2_654_435_761) >>> 0) + 0.5) / 2 ** 32) * shards);
}

/** Returns the number of followers of the user with this rank. */
function followersOfRank(followers: Uint32Array, rank: number): number {
  const sorted = Uint32Array.from(followers).sort();
  return sorted[Math.max(0, sorted.length - rank)] ?? 0;
}

function evennessOf(counts: Float64Array, { shards, seconds }: ShardRun): Evenness {
  const whole = new Float64Array(shards);
  const peaks = new Float64Array(seconds);
  for (let second = 0; second < seconds; second += 1) {
    for (let shard = 0; shard < shards; shard += 1) {
      const count = counts[second * shards + shard] ?? 0;
      add(whole, shard, count);
      peaks[second] = Math.max(peaks[second] ?? 0, count);
    }
  }
  const mean = whole.reduce((sum, count) => sum + count, 0) / shards;
  peaks.sort();
  const p99 = peaks[Math.floor(0.99 * (seconds - 1))] ?? 0;
  return { busiest: Math.max(...whole) / mean, busiestSecond: (p99 * seconds) / mean };
}
