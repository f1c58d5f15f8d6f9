import type { MetricFamily, Metrics, MetricSample } from '../core/metrics.js';

/** The formats of `/metrics`. */
export type MetricsFormat = 'prometheus' | 'openmetrics';

/** The content type of each format. */
export const METRICS_TYPES: Readonly<Record<MetricsFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Returns the format for an `Accept` header: OpenMetrics for those who name its version 1, as Prometheus does. */
export function formatFor(accept = ''): MetricsFormat {
  const asked = accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
    const version = parameters.find((parameter) => parameter.startsWith('version='));
    const isKnown = version === undefined || version === 'version=1.0.0';
    return type === 'application/openmetrics-text' && isKnown && !isRefused;
  });
  return asked ? 'openmetrics' : 'prometheus';
}

/** Formats metrics in Prometheus' text format, version 0.0.4, or as OpenMetrics 1.0.0. */
export function formatMetrics(metrics: Metrics, format: MetricsFormat): string {
  const families = metrics.map((family) => headOf(family, format) + samplesOf(family, format)).join('');
  return format === 'openmetrics' ? `${families}# EOF\n` : families;
}

const TOTAL = /_total$/;

/** OpenMetrics names a counter without the suffix that its samples have. */
function headOf({ name, help, type }: MetricFamily, format: MetricsFormat): string {
  const isOpen = format === 'openmetrics';
  const shown = isOpen && type === 'counter' ? name.replace(TOTAL, '') : name;
  return `# HELP ${shown} ${isOpen ? escapeText(help) : escapeHelp(help)}\n# TYPE ${shown} ${type}\n`;
}

function samplesOf({ name, samples }: MetricFamily, format: MetricsFormat): string {
  return samples.map((sample) => formatSample(name, sample, format)).join('');
}

function formatSample(
  name: string,
  { suffix = '', labels, value }: MetricSample,
  format: MetricsFormat,
): string {
  const pairs = Object.entries(labels).map(([label, text]) => {
    const shown = label === 'le' && format === 'openmetrics' ? canonical(text) : text;
    return `${label}="${escapeText(shown)}"`;
  });
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatValue(value)}\n`;
}

/** OpenMetrics writes the bound of a bucket as a float: `1.0`. */
function canonical(bound: string): string {
  return /^\d+$/.test(bound) ? `${bound}.0` : bound;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeText(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function formatValue(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
