import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBenchServer } from './server.js';
import type { BenchCase } from './cases.js';
import { startChild } from './child.js';
import { round } from './measure.js';
import type { RoundReport } from './rounds.js';

/** The parts of V8’s CPU profile that are used. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Self times of the server’s main thread, longest first. */
export interface Profile {
  readonly functions: readonly SelfTime[];
  readonly folders: readonly SelfTime[];
}

export interface SelfTime {
  readonly where: string;
  /** Of the time in which the thread was not idle. */
  readonly share: number;
}

const WARM_UP_SECONDS = 2;

/** Runs a case with V8’s profiler; returns the functions of the server’s main thread by self time. */
export async function profileCase(
  database: string,
  folder: string,
  benchCase: BenchCase,
  { seconds, sleep }: { readonly seconds: number; readonly sleep: boolean },
): Promise<Profile> {
  const profiles = join(folder, `profile-${benchCase.name}`);
  const server = await startBenchServer(database, ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  const generator = startChild('./generator.ts');
  try {
    await generator.ask<RoundReport>(
      round(benchCase, server.port, { seconds: WARM_UP_SECONDS + seconds, sleep }),
    );
  } finally {
    await generator.end();
    await server.end('SIGTERM');
  }
  const samples = lastSamples(await busiestProfile(profiles), seconds);
  return {
    functions: selfTimes(samples, ({ functionName, file, line }) =>
      file === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${line}`,
    ),
    folders: selfTimes(samples, ({ functionName, file }) => folderOf(file) || functionName),
  };
}

/** Returns the longest profile, which is the main thread’s: each thread writes one. */
async function busiestProfile(folder: string): Promise<CpuProfile> {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const longest = texts.sort((one, other) => other.length - one.length)[0];
  if (longest === undefined) throw new Error('the server wrote no profile');
  return JSON.parse(longest) as CpuProfile;
}

interface Place {
  readonly functionName: string;
  /** Empty for code that is not JavaScript. */
  readonly file: string;
  readonly line: number;
}

interface Sample {
  readonly place: Place;
  readonly microseconds: number;
}

/** Returns the last samples without idle time, which excludes the start and compilation. */
function lastSamples({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Sample[] {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const selected: Sample[] = [];
  let left = seconds * 1e6;
  for (let index = samples.length - 1; index >= 0 && left > 0; index -= 1) {
    const place = places.get(samples[index] ?? -1);
    const microseconds = timeDeltas[index] ?? 0;
    left -= microseconds;
    if (place && place.functionName !== '(idle)') selected.push({ place, microseconds });
  }
  return selected;
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): Place {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/dist\//, 'dist/');
  return { functionName, file, line: lineNumber + 1 };
}

/**
 * Returns the folder of a file: `dist/views/hydrate/posts.js` is in `dist/views`; packages and node’s modules are one
 * folder each.
 */
function folderOf(file: string): string {
  const parts = file.split('/');
  return file.startsWith('dist/')
    ? parts.slice(0, Math.min(2, parts.length - 1)).join('/')
    : (parts[0] ?? '');
}

function selfTimes(samples: readonly Sample[], nameOf: (place: Place) => string): SelfTime[] {
  const times = new Map<string, number>();
  let total = 0;
  for (const { place, microseconds } of samples) {
    const name = nameOf(place);
    times.set(name, (times.get(name) ?? 0) + microseconds);
    total += microseconds;
  }
  return [...times]
    .map(([where, time]) => ({ where, share: time / total }))
    .sort((one, other) => other.share - one.share);
}
