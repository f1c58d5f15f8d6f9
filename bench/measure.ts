import type { Child } from './child.js';
import { ask, type RawAnswer } from './connection.js';
import { cpuSecondsOf } from './cpu.js';
import type { Round, RoundReport } from './rounds.js';
import type { CannedAnswer } from './yardstick.js';

export interface SideResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the process, all threads, per request. */
  readonly cpuMicroseconds: number;
  readonly generatorBusy: number;
}

/** Headers that node adds to every response. */
const NODE_HEADERS: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

/** Returns the response to a request. Throws when its status is not 200. */
export async function sampleOf(port: number, text: string): Promise<RawAnswer> {
  const sample = await ask(port, text);
  if (sample.status !== 200) throw new Error(`${sample.status} ${sample.body}`);
  return sample;
}

/** Returns the response that makes the yardstick send the same bytes. */
export function cannedOf({ status, head, body }: RawAnswer): CannedAnswer {
  const headers = head
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split(/: (.*)/, 2) as [string, string])
    .filter(([name]) => !NODE_HEADERS.has(name.toLowerCase()));
  return { status, headers: headers.flat(), body };
}

export async function measureSide(generator: Child, pid: number, task: Round): Promise<SideResult> {
  const cpuBefore = await cpuSecondsOf(pid);
  const report = await generator.ask<RoundReport>(task);
  const cpuSeconds = (await cpuSecondsOf(pid)) - cpuBefore;
  if (report.failures.length > 0) throw new Error(`unexpected responses: ${JSON.stringify(report.failures)}`);
  const { perSecond, p50Ms, p99Ms, generatorBusy } = report;
  return { perSecond, p50Ms, p99Ms, generatorBusy, cpuMicroseconds: (cpuSeconds / report.requests) * 1e6 };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
