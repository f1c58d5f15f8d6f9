import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBenchServer } from './server.js';
import type { BenchCase } from './cases.js';
import { startChild } from './child.js';
import { round } from './measure.js';
import type { RoundReport } from './rounds.js';

/** The parts of V8's CPU profile that are read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly where: string;
  /** Of the time that the thread was not idle. */
  readonly share: number;
}

const WARM_UP_SECONDS = 2;

/** Runs a case against a server with V8's profiler on; resolves to the functions of its main thread by self time. */
export async function profileCase(
  database: string,
  folder: string,
  benchCase: BenchCase,
  seconds: number,
): Promise<SelfTime[]> {
  const profiles = join(folder, `profile-${benchCase.name}`);
  const server = await startBenchServer(database, ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  const generator = startChild('./generator.ts');
  try {
    await generator.ask<RoundReport>(round(benchCase, server.port, WARM_UP_SECONDS + seconds));
  } finally {
    await generator.end();
    await server.end('SIGTERM');
  }
  return selfTimes(await busiestProfile(profiles));
}

/** Each thread writes a profile; the main thread's is the longest. */
async function busiestProfile(folder: string): Promise<CpuProfile> {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const longest = texts.sort((one, other) => other.length - one.length)[0];
  if (longest === undefined) throw new Error('the server wrote no profile');
  return JSON.parse(longest) as CpuProfile;
}

function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const where = names.get(id) ?? '(unknown)';
    times.set(where, (times.get(where) ?? 0) + (timeDeltas[index] ?? 0));
  });
  times.delete('(idle)');
  times.delete('(program)');
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([where, time]) => ({ where, share: time / total }))
    .sort((one, other) => other.share - one.share);
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/dist\//, 'dist/');
  return file === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
}
