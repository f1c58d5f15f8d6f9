import type { Network } from './simulate-network.js';

/** What a threshold between fan-out and merging on read costs. */
export interface ThresholdCost {
  /** Authors with more followers are merged on read. */
  readonly threshold: number;
  readonly largeAuthors: number;
  /** The share of posts that are not fanned out. */
  readonly mergedPosts: number;
  /** Entries of home timelines for each post of the network. */
  readonly entriesPerPost: number;
  /** The large authors that a reader follows, each with a list that the home page merges. */
  readonly mergedLists: { readonly mean: number; readonly p50: number; readonly p99: number };
}

/** Readers whose follows are drawn for each threshold. */
const READERS = 5_000;

/** Computes the cost of each threshold: entries exactly, lists for a sample of readers. */
export function thresholdCosts(network: Network, thresholds: readonly number[]): ThresholdCost[] {
  const readers = Array.from({ length: READERS }, () => followsOfReader(network));
  return thresholds.map((threshold) => {
    const merged = readers.map((follows) => follows.filter((count) => count > threshold).length);
    return { threshold, ...entriesOf(network, threshold), mergedLists: summaryOf(merged) };
  });
}

/** Draws the accounts that a reader follows, and returns the number of followers of each. */
function followsOfReader({ drawFollows, followers }: Network): number[] {
  return Array.from(drawFollows(), (author) => followers[author] ?? 0);
}

function entriesOf({ followers, posts }: Network, threshold: number) {
  let [largeAuthors, all, merged, entries] = [0, 0, 0, 0];
  for (let user = 0; user < followers.length; user += 1) {
    const [count, rate] = [followers[user] ?? 0, posts[user] ?? 0];
    all += rate;
    if (count > threshold) {
      largeAuthors += 1;
      merged += rate;
    } else entries += rate * count;
  }
  return { largeAuthors, mergedPosts: merged / all, entriesPerPost: entries / all };
}

function summaryOf(values: readonly number[]): ThresholdCost['mergedLists'] {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, p50: at(0.5), p99: at(0.99) };
}

/** How long entries wait for a fan-out of this rate. */
export type Backlog = {
  /** Entries a second that the fan-out writes. */
  readonly capacity: number;
  /** The mean of the entries that arrive, as a share of the capacity. */
  readonly load: number;
  readonly waitP50: number;
  readonly waitP99: number;
  readonly waitMost: number;
};

/** Posts that arrive as independent events at this mean rate, for a time in seconds. */
export interface Arrivals {
  readonly postsPerSecond: number;
  readonly seconds: number;
  readonly threshold: number;
  readonly random: () => number;
}

/** Draws the entries that arrive in each second. */
export function arrivingEntries(network: Network, arrivals: Arrivals): Float64Array {
  const { postsPerSecond, seconds, threshold, random } = arrivals;
  const entries = new Float64Array(seconds);
  let at = 0;
  while (at < seconds) {
    const count = network.followers[network.drawAuthor()] ?? 0;
    if (count <= threshold) entries[Math.floor(at)] = (entries[Math.floor(at)] ?? 0) + count;
    at -= Math.log(1 - random()) / postsPerSecond;
  }
  return entries;
}

/** Computes the waiting times, in seconds, when `capacity` entries are written each second. */
export function backlogOf(entries: Float64Array, capacity: number): Backlog {
  let [waiting, all] = [0, 0];
  const waits = entries.map((arriving) => {
    all += arriving;
    waiting = Math.max(0, waiting + arriving - capacity);
    return waiting / capacity;
  });
  waits.sort();
  const at = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? 0;
  const load = all / entries.length / capacity;
  return { capacity, load, waitP50: at(0.5), waitP99: at(0.99), waitMost: at(1) };
}
