import type { CaseResult, SideResult } from './measure.js';

/** The results of one run. */
export interface BenchReport {
  readonly engine: string;
  /** The number of server processes. */
  readonly workers: number;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly posts: number;
  readonly loadSeconds: number;
  readonly firstAnswerMs: number;
  readonly residentMb: { readonly started: number; readonly afterwards: number };
  readonly cases: readonly CaseResult[];
}

/** The targets of docs/performance.md that belong to no case. */
const FIRST_ANSWER_TARGET_MS = 1000;
const RESIDENT_TARGET_MB = 150;

/** Formats a report as text. */
export function printReport(report: BenchReport): string {
  const machine = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
  return [
    `\n${report.engine}, ${report.workers} ${report.workers === 1 ? 'process' : 'processes'}`,
    machine.join(', '),
    `${report.posts} posts loaded in ${report.loadSeconds.toFixed(1)} s`,
    `start to first answer ${report.firstAnswerMs.toFixed(0)} ms (target < ${FIRST_ANSWER_TARGET_MS})`,
    `resident ${report.residentMb.started.toFixed(0)} MB when started, ` +
      `${report.residentMb.afterwards.toFixed(0)} MB after the load (target <= ${RESIDENT_TARGET_MB} started, for one process)`,
    ...report.cases.flatMap((result) => ['', ...printCase(result)]),
  ].join('\n');
}

function printCase(result: CaseResult): string[] {
  const { title, connections, answerBytes, commitsPerSecond, commitsShare } = result;
  const lines = [
    `${title} (${connections} connections, ${answerBytes} bytes per response)`,
    `  ${'server'.padEnd(12)}${printSide(result.server)}`,
    `  ${'yardstick'.padEnd(12)}${printSide(result.yardstick)}`,
    `  server : yardstick     ${printShare(result.yardstickShare, result.yardstickTarget)}`,
    `  by CPU time            ${percent(result.cpuShare)}`,
  ];
  if (commitsPerSecond !== undefined && commitsShare !== undefined) {
    lines.push(`  bare commits ${commitsPerSecond.toFixed(0).padStart(7)}/s, one insert and fsync each`);
    lines.push(`  server : bare commits  ${printShare(commitsShare, result.commitsTarget)}`);
  }
  return lines;
}

function printSide({ perSecond, p50Ms, p99Ms, cpuMicroseconds, generatorBusy }: SideResult): string {
  const rate = `${perSecond.toFixed(0).padStart(7)}/s`;
  const latency = `p50 ${p50Ms.toFixed(2).padStart(6)} ms  p99 ${p99Ms.toFixed(2).padStart(6)} ms`;
  const cpu = `${cpuMicroseconds.toFixed(0).padStart(5)} us CPU each  generator ${percent(generatorBusy)} busy`;
  return `${rate}  ${latency}  ${cpu}`;
}

function printShare(share: number, target: number | undefined): string {
  if (target === undefined) return percent(share);
  return `${percent(share)}  target >= ${percent(target)}  ${share >= target ? 'reached' : 'MISSED'}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
