import type { ServerProcess } from '../test/wire/support/server-process.js';
import type { Child } from './child.js';
import { cpuSecondsOf, memoryOf, untilIdle, type TreeMemory } from './cpu.js';
import { median, sampleOf } from './measure.js';
import { cannedAnswers } from './mix-canned.js';
import { isReadOnly } from './mix-kinds.js';
import type { MixFailure, MixReport, MixRound, MixTarget } from './mix-load.js';
import type { Mix, MixOptions } from './mix-options.js';
import { homeRequest, singleRequest } from './mix-requests.js';
import { startSite, type Template } from './mix-sites.js';
import type { MixPerson } from './mix-world.js';

/** Requests that warm up compiled code of a process, in rounds of a second; their figures are discarded. */
const WARM_UP_REQUESTS = 6_000;

/** Longer than the period of the background loops, which have work after a write. */
const LOOPS_MS = 1_200;

/** The processes that create the load and the yardstick. */
export interface MixBench {
  readonly load: Child;
  readonly yardstick: Child & { readonly port: number };
}

/** One side of a round. */
export interface MixSide {
  readonly report: MixReport;
  /** CPU microseconds for each request, including the background work that follows. */
  readonly cpuMicros: number;
  /** The same of the PostgreSQL server. */
  readonly databaseMicros?: number;
}

interface MixTurn {
  readonly server: MixSide;
  readonly yardstick: MixSide;
}

/** The result of a mix on one engine with one number of workers. */
export interface SeriesResult {
  readonly turns: readonly MixTurn[];
  readonly memory: TreeMemory;
  readonly startMs: number;
  readonly failures: readonly MixFailure[];
}

interface Series {
  readonly bench: MixBench;
  readonly template: Template;
  readonly mix: Mix;
  readonly options: MixOptions;
  readonly workers: number;
}

/** Measures server and yardstick together under a mix, on a fresh copy of the template. */
export async function measureSeries(series: Series): Promise<SeriesResult> {
  const { bench, template, options } = series;
  if (options.cold) return measureCold(series);
  return onFreshServer(series, async (server, startMs) => {
    await bench.load.ask(template.world);
    await readHomes(server.port, template.world.people);
    const warmUp = await warm(series, server);
    await bench.yardstick.ask(cannedAnswers(warmUp));
    await send(series, [yardstickTarget(series)], { seed: 0, seconds: 1 });
    const turns: MixTurn[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const [own, beside] = await runRound(series, [serverTarget(server), yardstickTarget(series)], round);
      turns.push({ server: own, yardstick: beside });
    }
    const memory = await memoryOf(server.pid);
    return { turns, memory, startMs, failures: failuresOf(turns, warmUp) };
  });
}

/** Measures each round on a server of its own that has answered nothing yet, and the yardstick after it. */
async function measureCold(series: Series): Promise<SeriesResult> {
  const { bench, template, options } = series;
  const results: { turn: MixTurn; memory: TreeMemory; startMs: number }[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    await onFreshServer(series, async (server, startMs) => {
      await bench.load.ask(template.world);
      const [own] = await runRound(series, [serverTarget(server)], round);
      const memory = await memoryOf(server.pid);
      await bench.yardstick.ask(cannedAnswers(own.report));
      const [yardstick] = await runRound(series, [yardstickTarget(series)], round);
      results.push({ turn: { server: own, yardstick }, memory, startMs });
    });
  }
  const turns = results.map(({ turn }) => turn);
  return {
    turns,
    memory: {
      residentMb: median(results.map(({ memory }) => memory.residentMb)),
      peakMb: median(results.map(({ memory }) => memory.peakMb)),
    },
    startMs: median(results.map(({ startMs }) => startMs)),
    failures: failuresOf(turns),
  };
}

/** Runs `work` with a server on a fresh copy and the time from its start to its first response. */
async function onFreshServer<T>(
  { template, options, workers }: Series,
  work: (server: ServerProcess, startMs: number) => Promise<T>,
): Promise<T> {
  const site = await template.copy();
  const beforeMs = performance.now();
  const server = await startSite(site, { workers, profiles: options.profiles });
  try {
    await sampleOf(server.port, singleRequest(template.world));
    return await work(server, performance.now() - beforeMs);
  } finally {
    await server.end('SIGTERM');
    await template.drop(site);
  }
}

/** Reads everybody's home timeline, which builds it. */
async function readHomes(port: number, people: readonly MixPerson[]): Promise<void> {
  for (const person of people) await sampleOf(port, homeRequest(person));
}

/** Sends requests until compiled code is warm; returns the report of the last round, or of the first that failed. */
async function warm(series: Series, server: ServerProcess): Promise<MixReport> {
  for (let requests = 0, round = 1; ; round += 1) {
    const [report] = await send(series, [serverTarget(server)], { seed: -round, seconds: 1 });
    requests += report.requests;
    if (requests >= WARM_UP_REQUESTS * series.workers || report.failures.length > 0) return report;
  }
}

/** A process that answers requests. */
interface Target extends MixTarget {
  readonly pid: number;
}

function serverTarget({ port, pid }: ServerProcess): Target {
  return { port, pid, isYardstick: false };
}

function yardstickTarget({ bench: { yardstick } }: Series): Target {
  return { port: yardstick.port, pid: yardstick.pid, isYardstick: true };
}

/** One result for each target. */
type ForEach<Targets extends readonly Target[], Result> = { [Index in keyof Targets]: Result };

/** Runs a round and waits for the background work that it causes. */
async function runRound<Targets extends [Target, ...Target[]]>(
  series: Series,
  targets: Targets,
  round: number,
): Promise<ForEach<Targets, MixSide>> {
  const { databasePid } = series.template;
  const pids = targets.map(({ pid }) => pid);
  const read = () =>
    Promise.all([...pids, ...(databasePid === undefined ? [] : [databasePid])].map(cpuSecondsOf));
  const before = await read();
  const reports = await send(series, targets, { seed: round, seconds: series.options.seconds });
  for (const pid of pids) await untilIdle(pid, isReadOnly(series.mix.shares) ? 0 : LOOPS_MS);
  const after = await read();
  const microsOf = (index: number, { requests }: MixReport): number =>
    (((after[index] ?? NaN) - (before[index] ?? NaN)) / requests) * 1e6;
  return reports.map((report, index): MixSide => {
    const cpuMicros = microsOf(index, report);
    if (databasePid === undefined || targets[index]?.isYardstick) return { report, cpuMicros };
    return { report, cpuMicros, databaseMicros: microsOf(pids.length, report) };
  }) as ForEach<Targets, MixSide>;
}

/** Sends a round of requests; returns the report of each target. */
function send<Targets extends [Target, ...Target[]]>(
  { bench, options, mix }: Series,
  targets: Targets,
  draws: { readonly seed: number; readonly seconds: number },
): Promise<ForEach<Targets, MixReport>> {
  const { connections, sleep } = options;
  const round: MixRound = { ...draws, targets, connections, polls: !sleep, shares: mix.shares };
  return bench.load.ask(round);
}

function failuresOf(turns: readonly MixTurn[], ...others: readonly MixReport[]): MixFailure[] {
  return [...others, ...turns.map(({ server }) => server.report)].flatMap(({ failures }) => failures);
}
