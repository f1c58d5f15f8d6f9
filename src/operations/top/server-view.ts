import type { Interval } from './interval.js';

/** What `pipit top` shows of a server. Times are seconds, rates are per second, shares are 0 to 1. */
export type ServerView = ReturnType<typeof viewOf>;

export type OperationView = ReturnType<typeof operationView>;

const REQUESTS = 'pipit_http_requests_total';
const DURATION = 'pipit_http_request_duration_seconds';

/** Computes the view of what happened between two scrapes. `nowSeconds` is the time since the epoch. */
export function viewOf(interval: Interval, nowSeconds: number) {
  const [version = '?'] = interval.labelsOf('pipit_build_info', 'version');
  const workers = interval.labelsOf('pipit_build_info', 'worker');
  const [first = ''] = workers;
  const startedSeconds = interval.largest('process_start_time_seconds', { worker: first });
  return {
    version,
    upSeconds: Math.max(0, nowSeconds - startedSeconds),
    requests: requestsView(interval),
    workers: workers.map((worker) => workerView(interval, worker)),
    database: databaseView(interval),
    work: workView(interval),
    caches: interval.labelsOf('pipit_cache_hits_total', 'cache').map((cache) => cacheView(interval, cache)),
    operations: interval
      .labelsOf(REQUESTS, 'operation')
      .map((operation) => operationView(interval, operation)),
  };
}

function requestsView(interval: Interval) {
  return {
    rate: interval.rate(REQUESTS),
    errorRate: statusRate(interval, '5'),
    refusalRate: statusRate(interval, '4'),
    inFlight: interval.value('pipit_http_requests_in_flight'),
    sentBytesRate: interval.rate('pipit_http_response_bytes_total'),
    half: interval.quantile(DURATION, 0.5),
    slowest: interval.quantile(DURATION, 0.99),
  };
}

function operationView(interval: Interval, operation: string) {
  const labels = { operation };
  return {
    operation,
    rate: interval.rate(REQUESTS, labels),
    half: interval.quantile(DURATION, 0.5, labels),
    slowest: interval.quantile(DURATION, 0.99, labels),
    refusalRate: statusRate(interval, '4', labels),
    errorRate: statusRate(interval, '5', labels),
  };
}

function statusRate(
  interval: Interval,
  first: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const statuses = interval.labelsOf(REQUESTS, 'status', labels).filter((status) => status.startsWith(first));
  return statuses.reduce((sum, status) => sum + interval.rate(REQUESTS, { ...labels, status }), 0);
}

function workerView(interval: Interval, worker: string) {
  const labels = { worker };
  return {
    worker,
    cpu: interval.rate('process_cpu_seconds_total', labels),
    loop: interval.rate('pipit_event_loop_active_seconds_total', labels),
    delay: interval.quantile('pipit_event_loop_delay_seconds', 0.99, labels),
    collection: interval.rate('nodejs_gc_duration_seconds_sum', labels),
    memoryBytes: interval.value('process_resident_memory_bytes', labels),
    heapBytes: interval.value('nodejs_heap_size_used_bytes', labels),
    files: interval.value('process_open_fds', labels),
  };
}

function databaseView(interval: Interval) {
  return {
    bytes: interval.largest('pipit_database_size_bytes'),
    logBytes: interval.largest('pipit_database_log_bytes'),
    statementRate: interval.rate('pipit_statements_total'),
    transactionRate: interval.rate('pipit_transactions_total'),
    retryRate: interval.rate('pipit_transaction_retries_total'),
    transaction: interval.quantile('pipit_transaction_duration_seconds', 0.99),
    sync: interval.quantile('pipit_disk_sync_seconds', 0.99),
    waiting: interval.value('pipit_transactions_waiting'),
    connections: interval.value('pipit_pool_connections'),
  };
}

function workView(interval: Interval) {
  const jobs = (state: string): number => interval.largest('pipit_jobs', { state });
  return {
    jobs: { waiting: jobs('waiting'), running: jobs('running'), dead: jobs('dead') },
    jobLag: interval.largest('pipit_job_lag_seconds'),
    fanOutLag: interval.largest('pipit_fan_out_lag_seconds'),
    indexLag: interval.largest('pipit_search_index_lag_seconds'),
    feed: interval.labelsOf('pipit_feed_lag_seconds', 'subscriber').map((subscriber) => ({
      subscriber,
      lag: interval.largest('pipit_feed_lag_seconds', { subscriber }),
    })),
    streams: interval.value('pipit_streams_open'),
    livePages: interval.value('pipit_live_readers'),
    webhookDeliveries: interval.largest('pipit_webhook_waiting_deliveries'),
    webhookLag: interval.largest('pipit_webhook_dispatch_lag_seconds'),
  };
}

function cacheView(interval: Interval, cache: string) {
  const labels = { cache };
  const [hits, misses] = ['hits', 'misses'].map((use) => interval.rate(`pipit_cache_${use}_total`, labels));
  const reads = (hits ?? 0) + (misses ?? 0);
  return {
    cache,
    /** Undefined if nothing was read. */
    hitShare: reads > 0 ? (hits ?? 0) / reads : undefined,
    bytes: interval.value('pipit_cache_bytes', labels),
  };
}
