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
export function labelled(metrics: Metrics, labels: Readonly<Record<string, string>>): Metrics {
  return metrics.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...labels } })),
  }));
}

/** The content type of `formatMetrics`. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats metrics in Prometheus' text format, version 0.0.4. */
export function formatMetrics(metrics: Metrics): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => formatSample(name, sample)).join('');
    })
    .join('');
}

function formatSample(name: string, { suffix = '', labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatValue(value)}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatValue(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

/** Counts values by size; `observe` takes a few nanoseconds. */
export interface Histogram {
  observe(value: number): void;
  /** Returns the samples in Prometheus' form: cumulative buckets, sum and count. */
  samples(labels: Readonly<Record<string, string>>): MetricSample[];
}

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
        const le = formatValue(bounds[bucket] ?? Infinity);
        return { suffix: '_bucket', labels: { ...labels, le }, value: count };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    },
  };
}
