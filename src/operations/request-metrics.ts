import type { SeenRequest } from '../http/request-listeners.js';
import { failureOf } from '../http/problems.js';
import { createHistogram, WAIT_BOUNDS, type Histogram } from '../core/histogram.js';
import { counter, gauge, sample, Tally, type Metrics } from '../core/metrics.js';

/** The status label of requests without a response. */
const NO_RESPONSE = 'none';

interface OperationCounts {
  readonly statuses: Map<number, number>;
  readonly durations: Histogram;
  sentBytes: number;
  receivedBytes: number;
}

/** Counts requests by operation and status, their durations and bytes, and why they were refused. */
export function createRequestMetrics() {
  const operations = new Map<string, OperationCounts>();
  const refusals = new Tally();
  let inFlight = 0;
  const countsOf = (operation: string): OperationCounts => {
    let counts = operations.get(operation);
    if (counts === undefined) {
      counts = {
        statuses: new Map(),
        durations: createHistogram(WAIT_BOUNDS),
        sentBytes: 0,
        receivedBytes: 0,
      };
      operations.set(operation, counts);
    }
    return counts;
  };
  return {
    begin: () => {
      inFlight += 1;
    },
    observe: (seen: SeenRequest) => {
      const { operation, status, elapsedMs, bytes } = seen;
      const counts = countsOf(operation);
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      counts.durations.observe(elapsedMs / 1000);
      if (status >= 400) refusals.add(reasonOf(seen));
      if (bytes === undefined) return;
      inFlight -= 1;
      counts.sentBytes += bytes.sent;
      counts.receivedBytes += bytes.received;
    },
    collect: () => [
      ...operationMetrics(operations),
      counter(
        'pipit_http_refusals_total',
        'Requests with a status of 400 or more, by reason.',
        refusals.samples('reason'),
      ),
      gauge('pipit_http_requests_in_flight', 'Requests being answered, with open streams.', inFlight),
    ],
  };
}

/** Returns the code of the failure, of which the code has a fixed set; the status for answers without a thrown error. */
function reasonOf({ failure, status }: SeenRequest): string {
  if (failure === undefined) return `status-${status}`;
  const { code } = failureOf(failure);
  return code === 'internal' && status < 500 ? `status-${status}` : code;
}

function operationMetrics(operations: ReadonlyMap<string, OperationCounts>): Metrics {
  const all = [...operations];
  return [
    counter(
      'pipit_http_requests_total',
      'Requests by operation and status; status "none": no response was sent.',
      all.flatMap(([operation, { statuses }]) =>
        [...statuses].map(([status, value]) =>
          sample({ operation, status: status === 0 ? NO_RESPONSE : String(status) }, value),
        ),
      ),
    ),
    {
      name: 'pipit_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response.',
      type: 'histogram',
      samples: all.flatMap(([operation, { durations }]) => durations.samples({ operation })),
    },
    counter(
      'pipit_http_response_bytes_total',
      'Bytes of responses with their headers, by operation; streams count when they end.',
      all.map(([operation, { sentBytes }]) => sample({ operation }, sentBytes)),
    ),
    counter(
      'pipit_http_request_bytes_total',
      'Bytes of requests with their headers, by operation.',
      all.map(([operation, { receivedBytes }]) => sample({ operation }, receivedBytes)),
    ),
  ];
}
