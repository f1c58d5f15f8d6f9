export interface MetricSample {
  /** Appended to the family's name, for histograms: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with all its values, as plain data that processes can exchange. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly MetricSample[];
}

export type Metrics = readonly MetricFamily[];

/** Returns the present metrics of a part of this process. Costs are paid here, not where things are counted. */
export type CollectMetrics = () => Metrics;

type Labels = Readonly<Record<string, string>>;

/** One value without labels, or values with labels. */
type Values = number | readonly MetricSample[];

/** Creates a value that only grows; its name ends in `_total`. */
export function counter(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'counter', samples: samplesOf(values) };
}

/** Creates a value that grows and shrinks. */
export function gauge(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'gauge', samples: samplesOf(values) };
}

/** Creates a sample of a family. */
export function sample(labels: Labels, value: number): MetricSample {
  return { labels, value };
}

function samplesOf(values: Values): readonly MetricSample[] {
  return typeof values === 'number' ? [sample({}, values)] : values;
}

/** Merges the reports of several processes: samples of one name are grouped. */
export function mergeMetrics(reports: readonly Metrics[]): Metrics {
  const merged = new Map<string, MetricFamily>();
  for (const family of reports.flat()) {
    const samples = [...(merged.get(family.name)?.samples ?? []), ...family.samples];
    merged.set(family.name, { ...family, samples });
  }
  return [...merged.values()];
}

/** Adds a label to every sample. */
export function labelled(metrics: Metrics, labels: Labels): Metrics {
  return metrics.map((family) => ({
    ...family,
    samples: family.samples.map((each) => ({ ...each, labels: { ...each.labels, ...labels } })),
  }));
}

/** Counts by the values of one label, of which the code has a small set. */
export class Tally<Label extends string = string> {
  readonly #counts = new Map<Label, number>();

  add(label: Label, by = 1): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + by);
  }

  /** Returns a sample for each value that was counted. */
  samples(label: string): MetricSample[] {
    return [...this.#counts].map(([name, value]) => sample({ [label]: name }, value));
  }
}
