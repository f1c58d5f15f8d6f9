import { median } from './measure.js';
import type { KindCounters } from './mix-series.js';
import type { MixFigures } from './mix-report.js';

/** The most CPU time for each request of several processes as a multiple of one's. */
const WORKERS_TARGET = 1.15;

const SHOWN_CHARACTERS = 500;

/** Formats the figures of a mix as text. */
export function printFigures(figures: MixFigures): string {
  const { engine, workers, mix, posts, cpuRatios, target, server, yardstick } = figures;
  const spread = `${Math.min(...cpuRatios).toFixed(1)} to ${Math.max(...cpuRatios).toFixed(1)} by round`;
  const most = workers === 1 ? target?.cpu?.[engine] : undefined;
  const leastRate = workers === 1 ? target?.rate : undefined;
  return [
    `\n${engine}, ${processes(workers)}, ${posts} posts, ${mix}`,
    ...printFailures(figures),
    `  CPU   ${figures.cpuRatio.toFixed(1)} times the yardstick's (${spread})${verdict('<=', most, figures.cpuRatio)}`,
    ...printAgainst(figures.cpuRatiosToOther),
    `  rate  ${figures.rateShare.toFixed(2)} of the yardstick's${verdict('>=', leastRate, figures.rateShare)}`,
    ...printCommits(figures),
    `  server     ${printSide(server)}`,
    `  yardstick  ${printSide(yardstick)}`,
    ...(server.databaseMicros === undefined
      ? []
      : [
          `  PostgreSQL ${server.databaseMicros.toFixed(0).padStart(5)} us CPU a request; ` +
            `with it ${figures.cpuRatioWithDatabase?.toFixed(1)} times the yardstick's`,
        ]),
    ...printKinds(figures.kinds),
    ...printCounters(figures.counters),
    `  start to first response ${figures.startMs.toFixed(0)} ms; resident after the mix ` +
      `${figures.residentMb.toFixed(0)} MB, peak ${figures.peakMb.toFixed(0)} MB`,
  ].join('\n');
}

/** Formats the CPU time of several processes compared with that of one, for each mix that was measured with both. */
export function printWorkers(all: readonly MixFigures[]): string[] {
  return all.flatMap((many) => {
    if (many.workers === 1) return [];
    const one = all.find(
      ({ engine, workers, mix }) => engine === many.engine && workers === 1 && mix === many.mix,
    );
    if (!one) return [];
    const ratio = many.cpuRatio / one.cpuRatio;
    const title = `${many.engine}, ${many.mix}: CPU of ${processes(many.workers)}`;
    return [`${title} ${ratio.toFixed(2)} times that of one${verdict('<=', WORKERS_TARGET, ratio)}`];
  });
}

function processes(count: number): string {
  return `${count} ${count === 1 ? 'process' : 'processes'}`;
}

function printAgainst(ratios: readonly number[]): string[] {
  if (ratios.length === 0) return [];
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return [
    `  CPU   ${median(ratios).toFixed(3)} times the other build's (${least.toFixed(2)} to ${most.toFixed(2)} by round)`,
  ];
}

function verdict(relation: '<=' | '>=', target: number | undefined, figure: number): string {
  if (target === undefined) return '';
  const isReached = relation === '<=' ? figure <= target : figure >= target;
  return `, target ${relation} ${target.toFixed(2)}, ${isReached ? 'reached' : 'MISSED'}`;
}

function printFailures({ failures }: MixFigures): string[] {
  return failures.map(
    ({ kind, status, count, sample }) =>
      `  INVALID: ${count} responses to ${kind} with status ${status}, the first: ${bodyOf(sample)}`,
  );
}

function bodyOf(sample: string): string {
  return sample.slice(sample.indexOf('\r\n\r\n') + 4).slice(0, SHOWN_CHARACTERS);
}

function printCommits({ commits, commitsShare, target }: MixFigures): string[] {
  if (commits === undefined || commitsShare === undefined) return [];
  const bare = `${commits.toFixed(0)}/s bare commits, one insert and fsync each`;
  return [`        ${commitsShare.toFixed(2)} of ${bare}${verdict('>=', target?.commits, commitsShare)}`];
}

function printSide({ cpuMicros, perSecond, generatorBusy }: MixFigures['server']): string {
  return (
    `${cpuMicros.toFixed(0).padStart(5)} us CPU a request  ${perSecond.toFixed(0).padStart(6)}/s  ` +
    `generator ${(generatorBusy * 100).toFixed(0)}% busy`
  );
}

function printKinds(kinds: MixFigures['kinds']): string[] {
  const line = (name: string, cells: readonly string[]): string =>
    `  ${name.padEnd(10)}${cells.map((cell, at) => cell.padStart(at === 4 ? 15 : 10)).join('')}`;
  const rows = Object.entries(kinds).map(([kind, { requests, bytes, ...times }]) => {
    const { p50Ms, p99Ms, yardstickP50Ms, yardstickP99Ms } = times;
    const shown = [p50Ms, p99Ms, yardstickP50Ms, yardstickP99Ms].map((ms) => ms.toFixed(2));
    return line(kind, [String(requests), String(bytes), ...shown]);
  });
  return [line('', ['requests', 'bytes', 'p50 ms', 'p99 ms', 'yardstick p50', 'p99']), ...rows];
}

function printCounters(counters: KindCounters | undefined): string[] {
  if (!counters) return [];
  if (Object.values(counters).every((counted) => Object.keys(counted).length === 0))
    return ['  the server counts nothing for this'];
  return Object.entries(counters).flatMap(([kind, counted]) => {
    const entries = Object.entries(counted);
    const lines = entries.map(([name, value]) => `    ${value.toFixed(2).padStart(9)}  ${name}`);
    return [`  counted for each ${kind}:`, ...lines];
  });
}
