import type { OperationView, ServerView } from './server-view.js';

/** The orders of the table of operations, by the key that chooses each. */
export const ORDERS = { r: 'rate', p: 'slowest', e: 'errors', n: 'name' } as const;

export type Order = (typeof ORDERS)[keyof typeof ORDERS];

interface TableSize {
  readonly columns: number;
  /** Without a limit, every operation has a line. */
  readonly rows?: number;
}

const COLUMNS = ['req/s', 'p50', 'p99', '4xx/s', '5xx/s'] as const;
const COLUMN_WIDTH = 9;
const MAX_WORKERS = 4;

/** Formats a view as lines of plain ASCII that fit the size. */
export function tableOf(view: ServerView, order: Order, { columns, rows = Infinity }: TableSize): string[] {
  const head = [...summary(view), '', ...workers(view), ''];
  const table = operations(view, order, columns);
  const lines = [...head, ...table].slice(0, rows);
  return lines.map((line) => plain(line).slice(0, columns).trimEnd());
}

/** Replaces everything that a terminal could take for more than a character of one column. */
function plain(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?');
}

function summary({ version, upSeconds, requests, database, work, caches }: ServerView): string[] {
  const { jobs, feed } = work;
  const busiest = caches.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  return [
    `pipit ${version}  up ${age(upSeconds)}  ${rate(requests.rate)} req/s  p50 ${time(requests.half)}  ` +
      `p99 ${time(requests.slowest)}  ${requests.inFlight} in flight  ${bytes(requests.sentBytesRate)}/s`,
    `refused ${rate(requests.refusalRate)}/s  errors ${rate(requests.errorRate)}/s  streams ${work.streams}  ` +
      `live pages ${work.livePages}`,
    `database ${bytes(database.bytes)}  log ${bytes(database.logBytes)}  ${rate(database.statementRate)} statements/s  ` +
      `${rate(database.transactionRate)} tx/s  ${database.waiting} waiting`,
    `tx p99 ${time(database.transaction)}  disk sync p99 ${time(database.sync)}  retries ${rate(database.retryRate)}/s  ` +
      `connections ${database.connections}`,
    `jobs ${jobs.waiting} waiting  ${jobs.running} running  ${jobs.dead} dead  ` +
      `lag: jobs ${age(work.jobLag)}  home ${age(work.fanOutLag)}  index ${age(work.indexLag)}`,
    `feed ${feed.length === 0 ? 'no readers' : feed.map(({ subscriber, lag }) => `${subscriber} ${age(lag)}`).join('  ')}  ` +
      `webhooks ${work.webhookDeliveries} waiting  lag ${age(work.webhookLag)}`,
    `caches ${busiest.map(({ cache, hitShare, bytes: size }) => `${cache} ${share(hitShare)} ${bytes(size)}`).join('  ')}`,
  ];
}

function workers({ workers: all }: ServerView): string[] {
  const shown = all
    .slice(0, MAX_WORKERS)
    .map((each) =>
      [
        each.worker.slice(0, 8).padEnd(8),
        ...[share(each.cpu), share(each.loop), time(each.delay), share(each.collection)],
        ...[bytes(each.memoryBytes), bytes(each.heapBytes), String(each.files)],
      ].reduce((line, cell) => line + cell.padStart(COLUMN_WIDTH)),
    );
  const titles = ['cpu', 'loop', 'delay', 'gc', 'memory', 'heap', 'files'];
  const head = titles.reduce((line, title) => line + title.padStart(COLUMN_WIDTH), 'worker'.padEnd(8));
  const rest = all.length - MAX_WORKERS;
  return [head, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function operations({ operations: all }: ServerView, order: Order, columns: number): string[] {
  const nameWidth = Math.max(12, columns - COLUMN_WIDTH * COLUMNS.length);
  const line = (name: string, cells: readonly string[]): string =>
    cells.reduce(
      (text, cell) => text + cell.padStart(COLUMN_WIDTH),
      name.slice(0, nameWidth).padEnd(nameWidth),
    );
  const sorted = all.toSorted(comparing(order));
  return [
    line('operation', COLUMNS),
    ...sorted.map((each) =>
      line(each.operation, [
        rate(each.rate),
        time(each.half),
        time(each.slowest),
        rate(each.refusalRate),
        rate(each.errorRate),
      ]),
    ),
  ];
}

type Compare = (a: OperationView, b: OperationView) => number;

function comparing(order: Order): Compare {
  const byName: Compare = (a, b) => (a.operation < b.operation ? -1 : Number(a.operation > b.operation));
  const valueOf: Readonly<Record<Order, (view: OperationView) => number>> = {
    rate: (view) => view.rate,
    slowest: (view) => view.slowest ?? -1,
    errors: (view) => view.errorRate * 1e6 + view.refusalRate,
    name: () => 0,
  };
  return (a, b) => valueOf[order](b) - valueOf[order](a) || byName(a, b);
}

function rate(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  return value === 0 ? '0' : value.toFixed(1);
}

function time(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return seconds < 1 ? `${rate(seconds * 1000)} ms` : `${rate(seconds)} s`;
}

function share(value: number | undefined): string {
  return value === undefined ? '-' : `${Math.round(value * 100)}%`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function bytes(value: number): string {
  let [shown, unit] = [value, 0];
  while (shown >= 999.5 && unit < UNITS.length - 1) {
    shown /= 1000;
    unit += 1;
  }
  return `${shown < 10 && unit > 0 ? shown.toFixed(1) : Math.round(shown)} ${UNITS[unit]}`;
}

function age(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
}
