import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import type { Child } from './child.js';
import { cpuSecondsOf, memoryOf, untilIdle, type TreeMemory } from './cpu.js';
import { median, sampleOf } from './measure.js';
import { cannedAnswers } from './mix-canned.js';
import { perRequest, readCounters } from './mix-counters.js';
import { signInEditors } from './mix-editors.js';
import { isReadOnly, KIND_NAMES, type Kind, type Shares } from './mix-kinds.js';
import type { LoadTarget, MixFailure, MixReport, MixRound } from './mix-load.js';
import type { MixOptions } from './mix-options.js';
import { homeRequest, singleRequest, type MixSubjects } from './mix-requests.js';
import { startSite, type Template } from './mix-sites.js';
import type { MixPerson } from './mix-world.js';
import type { Mix, MixGroup } from './mixes.js';

/**
 * Requests of each kind that warm up one process, in rounds of a second; their figures are discarded. V8 compiles the
 * code of new posts again and again until it has run a few thousand times.
 */
const WARM_UP_REQUESTS = 5_000;
const WARM_UP_ROUNDS = 30;

/** Longer than the period of the background loops, which have work after a write. */
const LOOPS_MS = 5_500;

/** The processes that create the load and the yardsticks. */
export interface MixBench {
  readonly load: Child;
  readonly yardstick: Child & { readonly port: number };
  readonly commits: Child;
}

/** One side of a round. */
export interface MixSide {
  readonly report: MixReport;
  /** CPU microseconds for each request, including the background work that follows. */
  readonly cpuMicros: number;
  /** The same of the PostgreSQL server. */
  readonly databaseMicros?: number;
}

export interface MixTurn {
  readonly server: MixSide;
  readonly yardstick: MixSide;
  /** The other build, see `MixOptions.against`. */
  readonly other?: MixSide;
  /** Bare commits each second. */
  readonly commits?: number;
}

/** What the server counts for each request of a kind. */
export type KindCounters = Readonly<Partial<Record<Kind, Readonly<Record<string, number>>>>>;

/** The result of a mix on one engine with one number of workers. */
export interface MixResult {
  readonly mix: Mix;
  readonly turns: readonly MixTurn[];
  readonly memory: TreeMemory;
  readonly startMs: number;
  readonly failures: readonly MixFailure[];
  readonly counters?: KindCounters;
}

export interface Series {
  readonly bench: MixBench;
  readonly template: Template;
  readonly options: MixOptions;
  readonly workers: number;
  /** The folder for the CPU profiles of this series. */
  readonly profiles?: string;
}

/**
 * Measures server, yardstick and the other build, if there is one, in turns under each mix; each server on one fresh
 * copy of the template.
 */
export async function measureGroup(series: Series, group: MixGroup): Promise<MixResult[]> {
  const { against, againstWorkers } = series.options;
  const others = { ...series, workers: againstWorkers ?? series.workers };
  return onFreshServer(series, (server, startMs) =>
    against === undefined
      ? measureWarm(series, group, server, startMs)
      : onFreshServer(others, (other) => measureWarm(series, group, server, startMs, other), against),
  );
}

async function measureWarm(
  series: Series,
  group: MixGroup,
  server: ServerProcess,
  startMs: number,
  other?: ServerProcess,
): Promise<MixResult[]> {
  const { bench, template, options } = series;
  const servers = other ? [server, other] : [server];
  const results: MixResult[] = [];
  await bench.load.ask(await subjectsOf(server, template, group));
  for (const { port } of servers) {
    for (let pass = 1; pass <= series.workers; pass += 1) await readHomes(port, template.world.people);
  }
  for (const mix of group) {
    const warmUp = await warm(series, server, mix);
    if (other) await warm(series, other, mix);
    await bench.yardstick.ask(cannedAnswers(mix, warmUp));
    await send(series, mix.shares, [yardstickTarget(series)], { seed: 0, seconds: 1 });
    const turns: MixTurn[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      turns.push(await measureTurn(series, servers, mix, round));
    }
    const memory = await memoryOf(server.pid);
    const counters = options.counters ? await countKinds(series, server, mix) : undefined;
    results.push({ mix, turns, memory, startMs, failures: failuresOf(turns, warmUp), counters });
  }
  return results;
}

/** Measures each round on a server of its own that has answered nothing yet, and the yardstick after it. */
export async function measureCold(series: Series, mix: Mix): Promise<MixResult> {
  const { bench, template, options } = series;
  const rounds: { turn: MixTurn; memory: TreeMemory; startMs: number }[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    await onFreshServer(series, async (server, startMs) => {
      await bench.load.ask(await subjectsOf(server, template, [mix]));
      const [own] = await runRound(series, mix, [serverTarget(server)], round);
      const memory = await memoryOf(server.pid);
      await bench.yardstick.ask(cannedAnswers(mix, own.report));
      const [yardstick] = await runRound(series, mix, [yardstickTarget(series)], round);
      rounds.push({ turn: { server: own, yardstick }, memory, startMs });
    });
  }
  const turns = rounds.map(({ turn }) => turn);
  const of = (read: (round: (typeof rounds)[number]) => number): number => median(rounds.map(read));
  return {
    mix,
    turns,
    memory: {
      residentMb: of(({ memory }) => memory.residentMb),
      peakMb: of(({ memory }) => memory.peakMb),
    },
    startMs: of(({ startMs }) => startMs),
    failures: failuresOf(turns),
  };
}

/** Runs `work` with a server on a fresh copy and the time from its start to its first response. */
async function onFreshServer<T>(
  { template, options, workers, profiles }: Series,
  work: (server: ServerProcess, startMs: number) => Promise<T>,
  program?: string,
): Promise<T> {
  const site = await template.copy();
  const beforeMs = performance.now();
  const server = await startSite(site, {
    workers,
    profiles: program === undefined ? profiles : undefined,
    hasMetrics: options.counters,
    program,
  });
  // An aborted run must leave no process behind.
  const kill = (): void => void process.kill(server.pid, 'SIGTERM');
  process.once('exit', kill);
  try {
    await sampleOf(server.port, singleRequest(template.world));
    return await work(server, performance.now() - beforeMs);
  } finally {
    process.off('exit', kill);
    await server.end('SIGTERM');
    await template.drop(site);
  }
}

async function subjectsOf(server: ServerProcess, { world }: Template, group: MixGroup): Promise<MixSubjects> {
  const changesProfiles = group.some(({ shares }) => shares.profile);
  const editors = changesProfiles ? await signInEditors(server.port, world.people) : [];
  return { people: world.people, posts: world.posts, editors };
}

/** Reads each home timeline, which builds it. One process answers: several need several passes. */
async function readHomes(port: number, people: readonly MixPerson[]): Promise<void> {
  for (const person of people) await sampleOf(port, homeRequest(person));
}

/** Sends requests until compiled code is warm or a request fails; returns the last report of each kind. */
async function warm(series: Series, server: ServerProcess, { shares }: Mix): Promise<WarmUp> {
  let kinds: MixReport['kinds'] = {};
  const rarest = Math.min(...Object.values(shares).filter((share) => share > 0));
  const needed = (WARM_UP_REQUESTS / rarest) * series.workers;
  for (let requests = 0, round = 1; ; round += 1) {
    const [report] = await send(series, shares, [serverTarget(server)], { seed: -round, seconds: 1 });
    kinds = { ...kinds, ...report.kinds };
    requests += report.requests;
    const isWarm = requests >= needed || round === WARM_UP_ROUNDS * series.workers;
    if (isWarm || report.failures.length > 0) return { kinds, failures: report.failures };
  }
}

type WarmUp = Pick<MixReport, 'kinds' | 'failures'>;

async function measureTurn(
  series: Series,
  servers: readonly ServerProcess[],
  mix: Mix,
  round: number,
): Promise<MixTurn> {
  const targets: [Target, ...Target[]] = [yardstickTarget(series), ...servers.map(serverTarget)];
  const [yardstick, own, other] = await runRound(series, mix, targets, round);
  if (!own) throw new Error('no server was measured');
  if (mix.target?.commits === undefined) return { server: own, yardstick, other };
  const commits = await series.bench.commits.ask<number>(series.options.seconds);
  return { server: own, yardstick, other, commits };
}

/** Sends one kind of request at a time; returns what the server has counted for each. */
async function countKinds(series: Series, server: ServerProcess, mix: Mix): Promise<KindCounters> {
  const counted: Partial<Record<Kind, Record<string, number>>> = {};
  for (const kind of KIND_NAMES.filter((name) => mix.shares[name])) {
    const before = await readCounters(server.port);
    const [{ requests }] = await send(series, { [kind]: 1 }, [serverTarget(server)], {
      seed: -100,
      seconds: 1,
    });
    await sleep(LOOPS_MS);
    counted[kind] = perRequest(before, await readCounters(server.port), requests);
  }
  return counted;
}

/** A process that answers requests. */
interface Target extends LoadTarget {
  readonly pid: number;
}

function serverTarget({ port, pid }: ServerProcess): Target {
  return { port, pid };
}

function yardstickTarget({ bench: { yardstick } }: Series): Target {
  return { port: yardstick.port, pid: yardstick.pid };
}

/** One result for each target. */
type ForEach<Targets extends readonly Target[], Result> = { [Index in keyof Targets]: Result };

/** Runs a round and waits for the background work that it causes. */
async function runRound<Targets extends [Target, ...Target[]]>(
  series: Series,
  { shares }: Mix,
  targets: Targets,
  round: number,
): Promise<ForEach<Targets, MixSide>> {
  const { databasePid } = series.template;
  const pids = targets.map(({ pid }) => pid);
  const all = databasePid === undefined ? pids : [...pids, databasePid];
  const read = (): Promise<number[]> => Promise.all(all.map(cpuSecondsOf));
  const before = await read();
  const reports = await send(series, shares, targets, { seed: round, seconds: series.options.seconds });
  for (const pid of pids) await untilIdle(pid, isReadOnly(shares) ? 0 : LOOPS_MS);
  const after = await read();
  const microsOf = (index: number, { requests }: MixReport): number =>
    (((after[index] ?? NaN) - (before[index] ?? NaN)) / requests) * 1e6;
  return reports.map((report, index): MixSide => {
    const cpuMicros = microsOf(index, report);
    const isYardstick = pids[index] === series.bench.yardstick.pid;
    // The CPU time of the database is known only for one server.
    if (databasePid === undefined || isYardstick || targets.length > 2) return { report, cpuMicros };
    return { report, cpuMicros, databaseMicros: microsOf(pids.length, report) };
  }) as ForEach<Targets, MixSide>;
}

/** Sends a round of requests; returns the report of each target. */
function send<Targets extends [Target, ...Target[]]>(
  { bench, options }: Series,
  shares: Shares,
  targets: Targets,
  draws: { readonly seed: number; readonly seconds: number },
): Promise<ForEach<Targets, MixReport>> {
  const { connections, sleep: sleeps } = options;
  const round: MixRound = { ...draws, targets, connections, polls: !sleeps, shares };
  return bench.load.ask(round);
}

function failuresOf(turns: readonly MixTurn[], ...others: readonly WarmUp[]): MixFailure[] {
  const all = [...others, ...turns.map(({ server }) => server.report)].flatMap(({ failures }) => failures);
  const merged = new Map<string, MixFailure>();
  for (const failure of all) {
    const key = `${failure.kind} ${failure.status}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, count: known.count + failure.count } : failure);
  }
  return [...merged.values()];
}
