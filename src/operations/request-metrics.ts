import type { SeenRequest } from '../http/request-listeners.js';
import { createHistogram, type Histogram, type Metrics } from '../core/metrics.js';

/** Upper bounds in seconds, from a cache lookup to an upload. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The status label of requests without a response. */
const NO_RESPONSE = 'none';

interface OperationCounts {
  readonly statuses: Map<number, number>;
  readonly durations: Histogram;
}

/** Counts requests by operation and status, and their durations by operation. */
export function createRequestMetrics() {
  const operations = new Map<string, OperationCounts>();
  return {
    observe: ({ operation, status, elapsedMs }: SeenRequest) => {
      let counts = operations.get(operation);
      if (counts === undefined) {
        counts = { statuses: new Map(), durations: createHistogram(DURATION_BOUNDS) };
        operations.set(operation, counts);
      }
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      counts.durations.observe(elapsedMs / 1000);
    },
    collect: (): Metrics => [
      {
        name: 'pipit_http_requests_total',
        help: 'Requests by operation and status; status "none": no response was sent.',
        type: 'counter',
        samples: [...operations].flatMap(([operation, { statuses }]) =>
          [...statuses].map(([status, value]) => ({
            labels: { operation, status: status === 0 ? NO_RESPONSE : String(status) },
            value,
          })),
        ),
      },
      {
        name: 'pipit_http_request_duration_seconds',
        help: 'Time from the headers of a request to the end of its response.',
        type: 'histogram',
        samples: [...operations].flatMap(([operation, { durations }]) => durations.samples({ operation })),
      },
    ],
  };
}
