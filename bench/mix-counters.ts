import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './connection.js';

/** The counters of the server's metrics that explain its costs. */
const NAMES = /(statement|quer|cache|transaction|commit|row)s?/i;

/** The server keeps its metrics for a second. */
const KEPT_MS = 1_100;

/** The values of counters by name and labels, without the label of the process. */
export type Counters = ReadonlyMap<string, number>;

/** Reads the counters of a server started with `--metrics public`; empty if it has none. */
export async function readCounters(port: number): Promise<Counters> {
  await sleep(KEPT_MS);
  const { status, body } = await ask(port, 'GET /metrics HTTP/1.1\r\nhost: bench.example\r\n\r\n');
  if (status !== 200) throw new Error(`/metrics: ${status}`);
  const counters = new Map<string, number>();
  for (const [, name = '', labels = '', value = ''] of body.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)$/gm)) {
    if (!NAMES.test(name) || !name.endsWith('_total')) continue;
    const kept = labels.split(',').filter((label) => label !== '' && !label.startsWith('worker='));
    const key = kept.length === 0 ? name : `${name}{${kept.join(',')}}`;
    counters.set(key, (counters.get(key) ?? 0) + Number(value));
  }
  return counters;
}

/** Returns how much each counter that changed has grown for each request. */
export function perRequest(before: Counters, after: Counters, requests: number): Record<string, number> {
  const grown = [...after].map(([key, value]) => [key, (value - (before.get(key) ?? 0)) / requests] as const);
  return Object.fromEntries(grown.filter(([, value]) => value > 0));
}
