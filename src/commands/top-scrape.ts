import { performance } from 'node:perf_hooks';
import type { Scrape } from '../operations/top/interval.js';
import { readMetrics } from '../operations/top/read-metrics.js';
import { CommandRefused } from './command.js';
import type { Environment } from '../server/config.js';

/** The port that the documentation suggests for metrics. */
const DEFAULT_PLACE = '9100';
const LIMIT_MS = 5_000;
/** Far more than 256 workers have. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Returns the URL of metrics: of a port, HOST:PORT or a URL. Without one, that of a server with the same environment.
 * Throws CommandRefused.
 */
export function metricsUrl(where: string | undefined, env: Environment): string {
  const set = env['PIPIT_METRICS'] || undefined;
  const port = env['PIPIT_PORT'] || '8080';
  const place = where ?? (set === 'public' ? port : set === 'off' ? undefined : set) ?? DEFAULT_PLACE;
  const text = /^\d+$/.test(place) ? `http://127.0.0.1:${place}` : place;
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url) || /\s/.test(place))
    throw new CommandRefused(`where must be PORT, HOST:PORT or a URL, not "${place}"`, 2);
  const parsed = new URL(url);
  if (parsed.pathname === '/') parsed.pathname = '/metrics';
  return parsed.href;
}

/** Reads the metrics of a server. Throws CommandRefused, which says what to do. */
export async function scrape(url: string): Promise<Scrape> {
  const text = await fetchText(url);
  const metrics = readMetrics(text);
  if (!metrics.has('pipit_build_info'))
    throw new CommandRefused(`${url} has no metrics of Pipit: name the address of --metrics`);
  return { metrics, atMs: performance.now() };
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS), redirect: 'manual' }).catch(
    (cause: unknown) => {
      throw new CommandRefused(
        `no server answers at ${url}: start it with pipit serve --metrics ${DEFAULT_PLACE}, or name its address`,
        1,
        { cause },
      );
    },
  );
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new CommandRefused(`${url} answers ${answer.status}: ${adviceOn(answer.status)}`);
  }
  return readText(answer, url);
}

function adviceOn(status: number): string {
  if (status === 401 || status === 403)
    return 'a proxy keeps metrics from you; ask the server itself, from its own machine or network';
  if (status === 404) return 'start the server with --metrics, and name the address that it has there';
  return 'see the log of the server';
}

async function readText(answer: Response, url: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > MAX_CHARACTERS) throw new Error('too long');
    }
  } catch (cause) {
    throw new CommandRefused(`the answer of ${url} is not whole`, 1, { cause });
  }
  return text;
}
