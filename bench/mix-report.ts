import { median } from './measure.js';
import { KIND_NAMES, type Kind } from './mix-kinds.js';
import type { MixSide, SeriesResult } from './mix-series.js';

/** The medians of one side over all rounds. */
interface SideFigures {
  readonly cpuMicros: number;
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

/** The figures of a series. */
export interface MixFigures {
  readonly engine: string;
  readonly workers: number;
  readonly mix: string;
  readonly posts: number;
  /** CPU time of the server for each request as a multiple of the yardstick's: the median of all rounds. */
  readonly ratio: number;
  /** The ratio of each round. */
  readonly ratios: readonly number[];
  /** The same with the CPU time of the database server. */
  readonly ratioWithDatabase?: number;
  /** False if responses failed: the figures are invalid. */
  readonly isValid: boolean;
  readonly failures: SeriesResult['failures'];
  readonly server: SideFigures;
  readonly yardstick: SideFigures;
  readonly kinds: Readonly<Partial<Record<Kind, KindFigures>>>;
  readonly startMs: number;
  readonly residentMb: number;
  readonly peakMb: number;
}

/** Returns the medians of a series. */
export function figuresOf(
  about: Pick<MixFigures, 'engine' | 'workers' | 'mix' | 'posts'>,
  { turns, memory, startMs, failures }: SeriesResult,
): MixFigures {
  const servers = turns.map(({ server }) => server);
  const yardsticks = turns.map(({ yardstick }) => yardstick);
  const ratios = turns.map(({ server, yardstick }) => server.cpuMicros / yardstick.cpuMicros);
  const withDatabase = turns.map(
    ({ server, yardstick }) => (server.cpuMicros + (server.databaseMicros ?? NaN)) / yardstick.cpuMicros,
  );
  return {
    ...about,
    ratio: median(ratios),
    ratios,
    ...(servers[0]?.databaseMicros !== undefined && { ratioWithDatabase: median(withDatabase) }),
    isValid: failures.length === 0,
    failures,
    server: sideFigures(servers),
    yardstick: sideFigures(yardsticks),
    kinds: kindFigures(servers, yardsticks),
    startMs,
    ...memory,
  };
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

/** Formats the figures of a series as text. */
export function printFigures(figures: MixFigures): string {
  const { engine, workers, mix, posts, ratio, ratios, ratioWithDatabase, server } = figures;
  const spread = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`;
  const database =
    ratioWithDatabase === undefined
      ? []
      : [
          `  PostgreSQL ${server.databaseMicros?.toFixed(0)} us CPU a request; with it ${ratioWithDatabase.toFixed(1)} times`,
        ];
  return [
    `\n${engine}, ${workers} ${workers === 1 ? 'process' : 'processes'}, ${posts} posts, ${mix}`,
    ...figures.failures.map(
      ({ kind, status, count, sample }) =>
        `  INVALID: ${count} responses to ${kind} with status ${status}, the first:\n${sample}`,
    ),
    `  ${ratio.toFixed(1)} times the CPU of the yardstick (${spread} by round)`,
    `  server     ${printSide(server)}`,
    `  yardstick  ${printSide(figures.yardstick)}`,
    ...database,
    ...printKinds(figures.kinds),
    `  start to first response ${figures.startMs.toFixed(0)} ms; resident after the mix ` +
      `${figures.residentMb.toFixed(0)} MB, peak ${figures.peakMb.toFixed(0)} MB`,
  ].join('\n');
}

function printSide({ cpuMicros, perSecond, generatorBusy }: SideFigures): string {
  return (
    `${cpuMicros.toFixed(0).padStart(5)} us CPU a request  ${perSecond.toFixed(0).padStart(6)}/s  ` +
    `generator ${(generatorBusy * 100).toFixed(0)}% busy`
  );
}

function printKinds(kinds: MixFigures['kinds']): string[] {
  const columns = ['requests', 'bytes', 'p50 ms', 'p99 ms', 'yardstick p50', 'p99'];
  const line = (name: string, cells: readonly string[]): string =>
    `  ${name.padEnd(9)}${cells.map((cell, at) => cell.padStart(at === 4 ? 15 : 10)).join('')}`;
  return [
    line('', columns),
    ...Object.entries(kinds).map(([kind, figures]) =>
      line(kind, [
        String(figures.requests),
        String(figures.bytes),
        ...[figures.p50Ms, figures.p99Ms, figures.yardstickP50Ms, figures.yardstickP99Ms].map((ms) =>
          ms.toFixed(2),
        ),
      ]),
    ),
  ];
}
