import type { ReadMetrics, ReadSample } from './read-metrics.js';

/** The metrics of a server at a time of a monotonic clock. */
export interface Scrape {
  readonly metrics: ReadMetrics;
  readonly atMs: number;
}

/** Which samples count: those with these labels. */
export type Labels = Readonly<Record<string, string>>;

const NO_SAMPLES: readonly ReadSample[] = [];

/** What happened between two scrapes. */
export class Interval {
  readonly #before: ReadMetrics;
  readonly #now: ReadMetrics;
  readonly #seconds: number;

  constructor(before: Scrape, now: Scrape) {
    this.#before = before.metrics;
    this.#now = now.metrics;
    this.#seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  }

  /** Returns the sum of present values; 0 without any. */
  value(name: string, labels: Labels = {}): number {
    return sumOf(this.#now.get(name), labels);
  }

  /** Returns the largest present value; 0 without any. */
  largest(name: string, labels: Labels = {}): number {
    return Math.max(0, ...select(this.#now.get(name), labels).map(({ value }) => value));
  }

  /** Returns what a counter grew by in a second. */
  rate(name: string, labels: Labels = {}): number {
    return this.#growth(name, labels) / this.#seconds;
  }

  /** Returns the different values of a label, in the order of the scrape. */
  labelsOf(name: string, label: string, labels: Labels = {}): string[] {
    return [...new Set(select(this.#now.get(name), labels).map((each) => each.labels[label] ?? ''))];
  }

  /**
   * Returns the value below which a share of what a histogram observed in the interval lies, as Prometheus estimates
   * it; undefined if it observed nothing.
   */
  quantile(name: string, share: number, labels: Labels = {}): number | undefined {
    const bounds = this.labelsOf(`${name}_bucket`, 'le', labels)
      .map((le) => ({ le, bound: le === '+Inf' ? Infinity : Number(le) }))
      .sort((a, b) => a.bound - b.bound);
    const buckets = bounds.map(({ le, bound }) => ({
      bound,
      count: this.#growth(`${name}_bucket`, { ...labels, le }),
    }));
    const total = buckets.at(-1)?.count ?? 0;
    return total > 0 ? quantileIn(buckets, share * total) : undefined;
  }

  /** Each worker's counter for itself: a replaced worker begins at 0. */
  #growth(name: string, labels: Labels): number {
    const before = new Map(select(this.#before.get(name), labels).map((each) => [keyOf(each), each.value]));
    const now = select(this.#now.get(name), labels);
    return now.reduce((sum, each) => {
      const earlier = before.get(keyOf(each)) ?? 0;
      return sum + (each.value >= earlier ? each.value - earlier : each.value);
    }, 0);
  }
}

function select(samples: readonly ReadSample[] = NO_SAMPLES, labels: Labels): readonly ReadSample[] {
  const wanted = Object.entries(labels);
  if (wanted.length === 0) return samples;
  return samples.filter((each) => wanted.every(([label, value]) => each.labels[label] === value));
}

function sumOf(samples: readonly ReadSample[] | undefined, labels: Labels): number {
  return select(samples, labels).reduce((sum, { value }) => sum + value, 0);
}

function keyOf({ labels }: ReadSample): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function quantileIn(buckets: readonly { bound: number; count: number }[], rank: number): number {
  let below = { bound: 0, count: 0 };
  for (const bucket of buckets) {
    if (bucket.count >= rank) {
      // What lies above the last bound is only known to.
      if (bucket.bound === Infinity) return below.bound;
      const share = (rank - below.count) / Math.max(1, bucket.count - below.count);
      return below.bound + (bucket.bound - below.bound) * share;
    }
    below = bucket;
  }
  return below.bound;
}
