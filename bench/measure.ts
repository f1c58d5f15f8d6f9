import type { ServerProcess } from '../test/wire/support/server-process.js';
import type { BenchCase } from './cases.js';
import type { Child } from './child.js';
import { ask, type RawAnswer } from './connection.js';
import { cpuSecondsOf } from './cpu.js';
import { requestSource } from './requests.js';
import type { Round, RoundReport } from './rounds.js';
import type { CannedAnswer } from './yardstick.js';

/** The processes of a measurement, besides this one. */
export interface Bench {
  readonly server: ServerProcess;
  readonly yardstick: Child & { readonly port: number };
  readonly generator: Child;
  readonly commits: Child;
}

export interface SideResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the process, all threads, per request. */
  readonly cpuMicroseconds: number;
  readonly generatorBusy: number;
}

/** Medians over the rounds of a case. */
export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly connections: number;
  readonly answerBytes: number;
  readonly server: SideResult;
  readonly yardstick: SideResult;
  readonly yardstickShare: number;
  /** The yardstick’s CPU time per request as a share of the server’s: the figure least affected by other load. */
  readonly cpuShare: number;
  readonly yardstickTarget?: number;
  readonly commitsPerSecond?: number;
  readonly commitsShare?: number;
  readonly commitsTarget?: number;
}

export interface RoundSettings {
  readonly seconds: number;
  readonly rounds: number;
  readonly sleep: boolean;
}

/** Warms up connections, hidden classes and compiled code; its figures are discarded. */
const WARM_UP_SECONDS = 2;

/** Headers that node adds to every response. */
const NODE_HEADERS: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

/**
 * Measures server and yardstick alternately, with one generator and the same requests; the yardstick sends the bytes
 * of the server’s response. Throws when a response has another status than the case’s.
 */
export async function measureCase(
  bench: Bench,
  benchCase: BenchCase,
  settings: RoundSettings,
): Promise<CaseResult> {
  const sample = await sampleAnswer(bench, benchCase);
  await bench.yardstick.ask([cannedOf(sample)]);
  const onYardstick = (seconds: number) =>
    measureSide(
      bench.generator,
      bench.yardstick.pid,
      round(benchCase, bench.yardstick.port, { ...settings, seconds }),
    );
  const onServer = (seconds: number) =>
    measureSide(
      bench.generator,
      bench.server.pid,
      round(benchCase, bench.server.port, { ...settings, seconds }),
    );
  await onYardstick(WARM_UP_SECONDS);
  await onServer(WARM_UP_SECONDS);
  const turns: Turn[] = [];
  for (let count = 0; count < settings.rounds; count += 1) {
    turns.push({
      yardstick: await onYardstick(settings.seconds),
      server: await onServer(settings.seconds),
      commitsPerSecond: await measureCommits(bench, benchCase, settings.seconds),
    });
  }
  return summarize(benchCase, sample, turns);
}

/** Returns the response to a request. Throws when its status is not 200. */
export async function sampleOf(port: number, text: string): Promise<RawAnswer> {
  const sample = await ask(port, text);
  if (sample.status !== 200) throw new Error(`${sample.status} ${sample.body}`);
  return sample;
}

/** Compares a page with the yardstick sending the same bytes: medians of alternating rounds. */
export async function measureBeside(
  { server, generator, yardstick }: Omit<Bench, 'commits'>,
  text: string,
  connections: number,
  { seconds, rounds }: Pick<RoundSettings, 'seconds' | 'rounds'>,
): Promise<{ share: number; perSecond: number; yardstickPerSecond: number }> {
  const sample = await sampleOf(server.port, text);
  await yardstick.ask([cannedOf(sample)]);
  const plan = { kind: 'same', text } as const;
  const measureOn = async (pid: number, port: number, length: number): Promise<number> => {
    const task: Round = { port, connections, seconds: length, status: 200, polls: true, plan };
    return (await measureSide(generator, pid, task)).perSecond;
  };
  const onYardstick = (length: number) => measureOn(yardstick.pid, yardstick.port, length);
  const onServer = (length: number) => measureOn(server.pid, server.port, length);
  await onYardstick(WARM_UP_SECONDS);
  await onServer(WARM_UP_SECONDS);
  const turns: { readonly on: number; readonly beside: number }[] = [];
  for (let count = 0; count < rounds; count += 1) {
    turns.push({ beside: await onYardstick(seconds), on: await onServer(seconds) });
  }
  return {
    share: median(turns.map(({ on, beside }) => on / beside)),
    perSecond: median(turns.map(({ on }) => on)),
    yardstickPerSecond: median(turns.map(({ beside }) => beside)),
  };
}

interface Turn {
  readonly yardstick: SideResult;
  readonly server: SideResult;
  readonly commitsPerSecond: number | undefined;
}

/** Returns one response to the case’s request. Throws when its status is not the case’s. */
async function sampleAnswer({ server }: Pick<Bench, 'server'>, benchCase: BenchCase): Promise<RawAnswer> {
  const next = requestSource(benchCase.plan(newFirst()), 0);
  const sample = await ask(server.port, next());
  if (sample.status !== benchCase.status)
    throw new Error(`${benchCase.name}: ${sample.status} ${sample.body}`);
  return sample;
}

/** Returns the start of a round’s counter; no server is fast enough for two rounds to overlap. */
function newFirst(): number {
  return (Date.now() * 100) % 1e12;
}

/** Returns a round of a case with unused texts. */
export function round(
  benchCase: BenchCase,
  port: number,
  { seconds, sleep }: { readonly seconds: number; readonly sleep: boolean },
): Round {
  const { connections, status } = benchCase;
  return { port, connections, seconds, status, polls: !sleep, plan: benchCase.plan(newFirst()) };
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

async function measureCommits(
  { commits }: Bench,
  { commitsTarget }: BenchCase,
  seconds: number,
): Promise<number | undefined> {
  return commitsTarget === undefined ? undefined : commits.ask<number>(seconds);
}

function summarize(benchCase: BenchCase, sample: RawAnswer, turns: readonly Turn[]): CaseResult {
  const { name, title, connections, yardstickTarget, commitsTarget } = benchCase;
  const base = {
    name,
    title,
    connections,
    answerBytes: sample.head.length + 2 + Buffer.byteLength(sample.body),
    server: medianSide(turns.map((turn) => turn.server)),
    yardstick: medianSide(turns.map((turn) => turn.yardstick)),
    yardstickShare: median(turns.map((turn) => turn.server.perSecond / turn.yardstick.perSecond)),
    cpuShare: median(turns.map((turn) => turn.yardstick.cpuMicroseconds / turn.server.cpuMicroseconds)),
    yardstickTarget,
  };
  if (commitsTarget === undefined) return base;
  const commits = turns.map((turn) => turn.commitsPerSecond ?? NaN);
  const shares = turns.map((turn) => turn.server.perSecond / (turn.commitsPerSecond ?? NaN));
  return { ...base, commitsTarget, commitsPerSecond: median(commits), commitsShare: median(shares) };
}

function medianSide(sides: readonly SideResult[]): SideResult {
  const of = (read: (side: SideResult) => number): number => median(sides.map(read));
  return {
    perSecond: of((side) => side.perSecond),
    p50Ms: of((side) => side.p50Ms),
    p99Ms: of((side) => side.p99Ms),
    cpuMicroseconds: of((side) => side.cpuMicroseconds),
    generatorBusy: of((side) => side.generatorBusy),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
