import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MIX_NAMES, mixGroups, type MixGroup } from './mixes.js';

const ENGINE_NAMES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export interface MixOptions {
  readonly posts: number;
  readonly groups: readonly MixGroup[];
  readonly engines: readonly EngineName[];
  /** The numbers of server processes, one run each. */
  readonly workers: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Starts a fresh server on a fresh copy for each round, without reading anything before. */
  readonly cold: boolean;
  /** The generator sleeps while it waits, like clients: see `Round.polls`. */
  readonly sleep: boolean;
  readonly folder: string;
  /** The file for the results as JSON. */
  readonly json?: string;
  /** The folder for CPU profiles of the server. */
  readonly profiles?: string;
  /** The program of another build, which is measured beside this one. */
  readonly against?: string;
  /** The number of its processes, by default as many as of this build. */
  readonly againstWorkers?: number;
  /** Prints what the server's metrics count for each request. */
  readonly counters: boolean;
}

export const USAGE = `Usage: npm run bench:mix -- [options], npm run bench -- [options]
  --mix NAMES       mixes, separated by commas (bench:mix: timeline; bench: endpoints):
                    timeline: home pages, users' posts, single posts and new posts
                    social: also likes, follows, blocks, profile changes and deletions
                    endpoints: one kind of request at a time, or the kinds named:
                    ${MIX_NAMES.slice(3).join(', ')}
  --writes NS       percentages of new posts in the timeline mix, separated by commas (0,2,10)
  --posts N         posts in the database, such as 20000, 200000 or 1000000 (20000)
  --engines NAMES   engines, separated by commas: ${ENGINE_NAMES.join(', ')} (both)
  --workers NS      numbers of server processes, separated by commas (1,2)
  --seconds N       seconds per round (bench:mix: 4; bench: 2)
  --rounds N        rounds against server and yardstick (5)
  --connections N   keep-alive connections (32)
  --cold            no reading beforehand: each round has a fresh server on a fresh copy of the database
  --sleep           the generator sleeps instead of polling; the server then pays for waking it
  --counters        prints what the server's metrics count for each request, by kind
  --cpu-prof FOLDER the server writes V8 CPU profiles to the folder when it ends; distorts the figures
  --against FOLDER  compares the CPU of this build with that of the one in another working copy, in turns
  --against-workers N  the number of processes of that one: \`--workers 2 --against . --against-workers 1\` compares two
                    processes with one
  --json FILE       writes the results to the file
  --dir FOLDER      folder of the databases (the system's temporary folder)`;

/** Parses options. Throws TypeError or RangeError for invalid ones. */
export function readMixOptions(args: readonly string[]): MixOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      posts: { type: 'string', default: '20000' },
      mix: { type: 'string', default: 'timeline' },
      writes: { type: 'string', default: '0,2,10' },
      engines: { type: 'string', default: ENGINE_NAMES.join(',') },
      workers: { type: 'string', default: '1,2' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '32' },
      cold: { type: 'boolean', default: false },
      sleep: { type: 'boolean', default: false },
      counters: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
      against: { type: 'string' },
      'against-workers': { type: 'string' },
      json: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
    },
  });
  const { against, mix, cold } = values;
  if (against !== undefined && (cold || mix.includes('social'))) {
    throw new RangeError('--against accepts neither --cold nor --mix social');
  }
  return {
    posts: whole('--posts', values.posts),
    groups: mixGroups(values.mix.split(','), values.writes.split(',').map(percentage)),
    engines: values.engines.split(',').map(engineName),
    workers: values.workers.split(',').map((text) => whole('--workers', text)),
    seconds: positive('--seconds', values.seconds),
    rounds: whole('--rounds', values.rounds),
    connections: whole('--connections', values.connections),
    cold: values.cold,
    sleep: values.sleep,
    folder: values.dir,
    json: values.json,
    profiles: values['cpu-prof'],
    against: against === undefined ? undefined : resolve(against, 'dist', 'cli.js'),
    againstWorkers:
      values['against-workers'] === undefined
        ? undefined
        : whole('--against-workers', values['against-workers']),
    counters: values.counters,
  };
}

function whole(option: string, text: string): number {
  return Math.ceil(positive(option, text));
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`${option} must be a number above 0`);
  return value;
}

function percentage(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100)) throw new RangeError('--writes must be numbers from 0 to 100');
  return value;
}

function engineName(text: string): EngineName {
  const name = ENGINE_NAMES.find((known) => known === text);
  if (name === undefined) throw new RangeError(`--engines accepts ${ENGINE_NAMES.join(', ')}, not "${text}"`);
  return name;
}
