import type { MetricFamily, MetricSample } from './metrics.js';

/** Counts values by size; `observe` takes a few nanoseconds. */
export interface Histogram {
  observe(value: number): void;
  /** Returns the samples in Prometheus' form: cumulative buckets, sum and count. */
  samples(labels: Readonly<Record<string, string>>): MetricSample[];
}

/** Upper bounds in seconds of what a client waits for, from a cache lookup to an upload. */
export const WAIT_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Creates a histogram whose buckets end at `bounds`, in ascending order, and at infinity. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value) => {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += value;
    },
    samples: (labels) => {
      let count = 0;
      const buckets = [...counts].map((own, bucket): MetricSample => {
        count += own;
        const le = String(bounds[bucket] ?? '+Inf');
        return { suffix: '_bucket', labels: { ...labels, le }, value: count };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    },
  };
}

/** Creates the family of a histogram without labels. */
export function histogram(name: string, help: string, values: Histogram): MetricFamily {
  return { name, help, type: 'histogram', samples: values.samples({}) };
}

/** Histograms by the values of one label, of which the code has a small set. */
export class LabelledHistogram<Label extends string = string> {
  readonly #byLabel = new Map<Label, Histogram>();

  constructor(private readonly bounds: readonly number[]) {}

  observe(label: Label, value: number): void {
    let found = this.#byLabel.get(label);
    if (found === undefined) {
      found = createHistogram(this.bounds);
      this.#byLabel.set(label, found);
    }
    found.observe(value);
  }

  /** Creates the family, with the name of the label. */
  family(name: string, help: string, label: string): MetricFamily {
    const samples = [...this.#byLabel].flatMap(([value, each]) => each.samples({ [label]: value }));
    return { name, help, type: 'histogram', samples };
  }
}
