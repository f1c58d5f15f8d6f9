import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** A function or folder and the time spent in it. */
interface SelfTime {
  readonly where: string;
  /** Of the time in which the thread was not idle. */
  readonly share: number;
}

const FOLDERS = 15;
const FUNCTIONS = 40;

/** Formats the profiles in a folder: the self times of the busiest thread in the last seconds. */
export async function printProfile(folder: string, seconds: number): Promise<string> {
  const samples = lastSamples(await busiestProfile(folder), seconds);
  const functions = selfTimes(samples, ({ functionName, file, line }) =>
    file === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${line}`,
  );
  const folders = selfTimes(samples, ({ functionName, file }) => folderOf(file) || functionName);
  const lines = (times: readonly SelfTime[]): string[] =>
    times.map(({ where, share }) => `${(share * 100).toFixed(1).padStart(6)}%  ${where}`);
  return [...lines(folders.slice(0, FOLDERS)), '', ...lines(functions.slice(0, FUNCTIONS))].join('\n');
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
