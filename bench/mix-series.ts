import type { ServerProcess } from '../test/wire/support/server-process.js';
import type { Child } from './child.js';
import { ask } from './connection.js';
import { cpuSecondsOf, memoryOf, type TreeMemory } from './cpu.js';
import { cannedOf, median, sampleOf } from './measure.js';
import { KIND_NAMES, KINDS, type Kind } from './mix-kinds.js';
import type { KindReport, MixFailure, MixReport, MixRound } from './mix-load.js';
import type { Mix, MixOptions } from './mix-options.js';
import { homeRequest } from './mix-requests.js';
import { startSite, type SiteOptions, type Template } from './mix-sites.js';
import type { MixPerson } from './mix-world.js';
import type { CannedAnswer } from './yardstick.js';

/** Requests that warm up compiled code, in rounds of a second; their figures are discarded. */
const WARM_UP_REQUESTS = 6_000;
const READS_AT_ONCE = 8;

/** The indexing loop runs every second. */
const LEAST_WAIT_MS = 1_200;
const IDLE_SAMPLE_MS = 100;
const IDLE_SAMPLES = 3;
/** The CPU seconds of a sample of an idle server: a tick and its rounding. */
const IDLE_CPU_SECONDS = 0.011;

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

/** Measures server and yardstick alternately under a mix, on a fresh copy of the template. */
export async function measureSeries(series: Series): Promise<SeriesResult> {
  const { bench, template, options } = series;
  if (options.cold) return measureCold(series);
  return onFreshServer(series, async (server, startMs) => {
    await bench.load.ask(template.world);
    await readHomes(server.port, template.world.people);
    const warmUp = await warm(series, server);
    await bench.yardstick.ask(cannedAnswers(warmUp));
    await runYardstick(series, 0, 1);
    const turns: MixTurn[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const yardstick = await runYardstick(series, round, options.seconds);
      turns.push({ yardstick, server: await runServer(series, server, round, options.seconds) });
    }
    const memory = await memoryOf(server.pid);
    return {
      turns,
      memory,
      startMs,
      failures: failuresOf([warmUp, ...turns.map(({ server: { report } }) => report)]),
    };
  });
}

/** Measures each round on a server of its own that has answered nothing yet. */
async function measureCold(series: Series): Promise<SeriesResult> {
  const { bench, template, options } = series;
  const results: { turn: MixTurn; memory: TreeMemory; startMs: number }[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    await onFreshServer(series, async (server, startMs) => {
      await bench.load.ask(template.world);
      const measured = await runServer(series, server, round, options.seconds);
      const memory = await memoryOf(server.pid);
      await bench.yardstick.ask(cannedAnswers(measured.report));
      const yardstick = await runYardstick(series, round, options.seconds);
      results.push({ turn: { server: measured, yardstick }, memory, startMs });
    });
  }
  return {
    turns: results.map(({ turn }) => turn),
    memory: {
      residentMb: median(results.map(({ memory }) => memory.residentMb)),
      peakMb: median(results.map(({ memory }) => memory.peakMb)),
    },
    startMs: median(results.map(({ startMs }) => startMs)),
    failures: failuresOf(results.map(({ turn }) => turn.server.report)),
  };
}

/** Runs `work` with a server on a fresh copy and the time from its start to its first response. */
async function onFreshServer<T>(
  { template, options, workers }: Series,
  work: (server: ServerProcess, startMs: number) => Promise<T>,
): Promise<T> {
  const site = await template.copy();
  const siteOptions: SiteOptions = { workers, profiles: options.profiles };
  const beforeMs = performance.now();
  const server = await startSite(site, siteOptions);
  try {
    await ask(server.port, 'GET /2/openapi.json HTTP/1.1\r\nhost: bench.example\r\n\r\n');
    return await work(server, performance.now() - beforeMs);
  } finally {
    await server.end('SIGTERM');
  }
}

/** Reads everybody's home timeline, which builds it. */
async function readHomes(port: number, people: readonly MixPerson[]): Promise<void> {
  const waiting = [...people];
  const read = async (): Promise<void> => {
    for (let person = waiting.pop(); person; person = waiting.pop()) {
      await sampleOf(port, homeRequest(person));
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, read));
}

/** Sends requests until compiled code is warm; returns the report of the last round, or of the first that failed. */
async function warm(series: Series, server: ServerProcess): Promise<MixReport> {
  for (let requests = 0, round = 1; ; round += 1) {
    const task = roundOf(series, server.port, -round, 1);
    const report = await series.bench.load.ask<MixReport>(task);
    requests += report.requests;
    if (requests >= WARM_UP_REQUESTS || report.failures.length > 0) return report;
  }
}

/** Runs a round on the server, until its background work is done. */
async function runServer(
  series: Series,
  server: ServerProcess,
  round: number,
  seconds: number,
): Promise<MixSide> {
  const { databasePid } = series.template;
  const read = async (): Promise<{ own: number; database: number }> => ({
    own: await cpuSecondsOf(server.pid),
    database: databasePid === undefined ? NaN : await cpuSecondsOf(databasePid),
  });
  const before = await read();
  const report = await series.bench.load.ask<MixReport>(roundOf(series, server.port, round, seconds));
  await untilIdle(server.pid);
  const after = await read();
  const micros = (used: number): number => (used / report.requests) * 1e6;
  const cpuMicros = micros(after.own - before.own);
  if (databasePid === undefined) return { report, cpuMicros };
  return { report, cpuMicros, databaseMicros: micros(after.database - before.database) };
}

async function runYardstick(series: Series, round: number, seconds: number): Promise<MixSide> {
  const { load, yardstick } = series.bench;
  const before = await cpuSecondsOf(yardstick.pid);
  const task = { ...roundOf(series, yardstick.port, round, seconds), isYardstick: true };
  const report = await load.ask<MixReport>(task);
  const used = (await cpuSecondsOf(yardstick.pid)) - before;
  return { report, cpuMicros: (used / report.requests) * 1e6 };
}

function roundOf({ options, mix }: Series, port: number, round: number, seconds: number): MixRound {
  const { connections, sleep } = options;
  return { port, connections, seconds, polls: !sleep, shares: mix.shares, seed: round, isYardstick: false };
}

/** Waits until a process uses no more CPU than an idle one, at least one period of the background loops. */
async function untilIdle(pid: number): Promise<void> {
  await sleepMs(LEAST_WAIT_MS);
  for (let idle = 0, before = await cpuSecondsOf(pid); idle < IDLE_SAMPLES;) {
    await sleepMs(IDLE_SAMPLE_MS);
    const now = await cpuSecondsOf(pid);
    idle = now - before <= IDLE_CPU_SECONDS ? idle + 1 : 0;
    before = now;
  }
}

function sleepMs(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns responses of the mean length of each kind, with the headers of a real one. */
function cannedAnswers({ kinds }: MixReport): CannedAnswer[] {
  return KIND_NAMES.flatMap((kind) => {
    const report = kinds[kind];
    return report ? [cannedAnswer(kind, report)] : [];
  });
}

function cannedAnswer(kind: Kind, { sample, meanBytes }: KindReport): CannedAnswer {
  const bodyStart = sample.indexOf('\r\n\r\n') + 4;
  const head = sample.slice(0, bodyStart - 2);
  // One byte for each character, whatever the sample has.
  const text = sample.slice(bodyStart).replaceAll(/[^ -~]/g, '?');
  const length = Math.max(0, Math.round(meanBytes) - bodyStart);
  const body = text.padEnd(length, text === '' ? ' ' : text).slice(0, length);
  const { headers } = cannedOf({ status: 0, head, body });
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-length');
  const { method, part, status } = KINDS[kind];
  return { fits: { method, part }, status, headers: headers.with(at + 1, String(length)), body };
}

function failuresOf(reports: readonly MixReport[]): MixFailure[] {
  return reports.flatMap(({ failures }) => failures);
}
