import { grouped } from '../../core/grouped.js';

/** A value of a metric, as `/metrics` shows it. */
export interface ReadSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one scrape by name: `pipit_http_requests_total`, `…_bucket`, `…_count`. */
export type ReadMetrics = ReadonlyMap<string, readonly ReadSample[]>;

const NAME = /[a-zA-Z_:][\w:]*/y;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\.)*)",?/y;

/** Parses Prometheus' text format, in time in proportion to its length. Lines that it cannot read are left out. */
export function readMetrics(text: string): ReadMetrics {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return grouped(lines.map(readLine).filter((read) => read !== undefined));
}

function readLine(line: string): readonly [name: string, ReadSample] | undefined {
  NAME.lastIndex = 0;
  const [name] = NAME.exec(line) ?? [];
  if (name === undefined) return undefined;
  const labels: Record<string, string> = {};
  let end = name.length;
  if (line[end] === '{') {
    end += 1;
    for (;;) {
      LABEL.lastIndex = end;
      const match = LABEL.exec(line);
      if (match === null) break;
      const [whole, label = '', escaped = ''] = match;
      labels[label] = escaped.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
      end += whole.length;
    }
    if (line[end] !== '}') return undefined;
    end += 1;
  }
  const [first = ''] = line.slice(end).trim().split(' ', 1);
  const value = first === '+Inf' ? Infinity : Number(first);
  return first === '' || Number.isNaN(value) ? undefined : [name, { labels, value }];
}
