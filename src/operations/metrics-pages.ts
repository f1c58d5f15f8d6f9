import { JSON_TYPE } from '../http/problems.js';
import type { ServerMetrics } from './metrics.js';
import { formatFor, METRICS_TYPES } from './metrics-text.js';
import type { SlowStatement } from './slow-statements.js';

/** A page for operators and their programs, at the place of `--metrics`. */
export interface MetricsPage {
  readonly path: string;
  /** Returns the page in the format for an `Accept` header. */
  read(accept: string | undefined): Promise<{ readonly type: string; readonly text: string }>;
}

/** Returns `/metrics`, and `/slow-statements` as JSON. */
export function metricsPages(
  metrics: Pick<ServerMetrics, 'text' | 'slowStatements'>,
): readonly MetricsPage[] {
  return [
    {
      path: '/metrics',
      read: async (accept) => {
        const format = formatFor(accept);
        return { type: METRICS_TYPES[format], text: await metrics.text(format) };
      },
    },
    {
      path: '/slow-statements',
      read: async () => {
        const data = (await metrics.slowStatements()).map(asJson);
        return { type: JSON_TYPE, text: `${JSON.stringify({ data }, undefined, 2)}\n` };
      },
    },
  ];
}

function asJson({ statement, count, longestMs, totalMs, rows, lastAtMs, plan }: SlowStatement): object {
  return {
    statement,
    count,
    longest_ms: Math.round(longestMs),
    total_ms: Math.round(totalMs),
    rows,
    last_at: new Date(lastAtMs).toISOString(),
    plan,
  };
}
