import { median } from './measure.js';
import { KIND_NAMES, type Kind } from './mix-kinds.js';
import type { KindCounters, MixResult, MixSide } from './mix-series.js';
import type { MixTarget } from './mixes.js';

/** The medians of one side over all rounds. */
interface SideFigures {
  readonly cpuMicros: number;
  /** CPU time of the PostgreSQL server. */
  readonly databaseMicros?: number;
  readonly perSecond: number;
  readonly generatorBusy: number;
}

interface KindFigures {
  readonly requests: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly yardstickP50Ms: number;
  readonly yardstickP99Ms: number;
}

interface About {
  readonly engine: string;
  readonly workers: number;
  readonly posts: number;
}

/** The figures of a mix: medians of all rounds. */
export interface MixFigures extends About {
  readonly mix: string;
  /** CPU time of the server for each request as a multiple of the yardstick's. */
  readonly cpuRatio: number;
  readonly cpuRatios: readonly number[];
  /** The same as a share of the other build's, by round. */
  readonly cpuRatiosToOther: readonly number[];
  /** The same with the CPU time of the PostgreSQL server. */
  readonly cpuRatioWithDatabase?: number;
  /** The rate of the server as a share of the yardstick's. */
  readonly rateShare: number;
  /** Bare commits each second, and the rate of the server as a share of it. */
  readonly commits?: number;
  readonly commitsShare?: number;
  readonly target?: MixTarget;
  /** False if responses failed: the figures are invalid. */
  readonly isValid: boolean;
  readonly failures: MixResult['failures'];
  readonly server: SideFigures;
  readonly yardstick: SideFigures;
  readonly kinds: Readonly<Partial<Record<Kind, KindFigures>>>;
  readonly counters?: KindCounters;
  readonly startMs: number;
  readonly residentMb: number;
  readonly peakMb: number;
}

/** Returns the medians of a result. */
export function figuresOf(about: About, result: MixResult): MixFigures {
  const { mix, turns, memory, startMs, failures, counters } = result;
  const servers = turns.map(({ server }) => server);
  const yardsticks = turns.map(({ yardstick }) => yardstick);
  const cpuRatios = turns.map(({ server, yardstick }) => server.cpuMicros / yardstick.cpuMicros);
  const rateOf = ({ report }: MixSide): number => report.perSecond;
  const all = {
    ...about,
    mix: mix.title,
    cpuRatio: median(cpuRatios),
    cpuRatios,
    cpuRatiosToOther: turns.flatMap(({ server, other }) => (other ? server.cpuMicros / other.cpuMicros : [])),
    rateShare: median(turns.map(({ server, yardstick }) => rateOf(server) / rateOf(yardstick))),
    target: mix.target,
    isValid: failures.length === 0,
    failures,
    server: sideFigures(servers),
    yardstick: sideFigures(yardsticks),
    kinds: kindFigures(servers, yardsticks),
    counters,
    startMs,
    ...memory,
    ...(servers[0]?.databaseMicros !== undefined && {
      cpuRatioWithDatabase: median(
        turns.map(
          ({ server, yardstick }) => (server.cpuMicros + (server.databaseMicros ?? 0)) / yardstick.cpuMicros,
        ),
      ),
    }),
  };
  const commits = turns.flatMap((turn) => turn.commits ?? []);
  if (commits.length === 0) return all;
  const commitsShare = median(turns.map((turn) => rateOf(turn.server) / (turn.commits ?? NaN)));
  return { ...all, commits: median(commits), commitsShare };
}

function sideFigures(sides: readonly MixSide[]): SideFigures {
  const of = (read: (side: MixSide) => number): number => median(sides.map(read));
  return {
    cpuMicros: of((side) => side.cpuMicros),
    ...(sides[0]?.databaseMicros !== undefined && {
      databaseMicros: of((side) => side.databaseMicros ?? NaN),
    }),
    perSecond: of(({ report }) => report.perSecond),
    generatorBusy: of(({ report }) => report.generatorBusy),
  };
}

function kindFigures(servers: readonly MixSide[], yardsticks: readonly MixSide[]): MixFigures['kinds'] {
  const of = (sides: readonly MixSide[], kind: Kind) =>
    sides.flatMap(({ report }) => report.kinds[kind] ?? []);
  return Object.fromEntries(
    KIND_NAMES.flatMap((kind) => {
      const [own, beside] = [of(servers, kind), of(yardsticks, kind)];
      if (own.length === 0) return [];
      const figures: KindFigures = {
        requests: own.reduce((sum, { requests }) => sum + requests, 0),
        bytes: Math.round(median(own.map(({ meanBytes }) => meanBytes))),
        p50Ms: median(own.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
        yardstickP50Ms: median(beside.map(({ p50Ms }) => p50Ms)),
        yardstickP99Ms: median(beside.map(({ p99Ms }) => p99Ms)),
      };
      return [[kind, figures] as const];
    }),
  );
}
