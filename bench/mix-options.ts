import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { readingMix, SOCIAL_MIX, type Shares } from './mix-kinds.js';
import { engineName, ENGINE_NAMES, positive, type EngineName } from './options.js';

/** A mix of requests. */
export interface Mix {
  readonly title: string;
  readonly shares: Shares;
}

export interface MixOptions {
  readonly posts: number;
  readonly mixes: readonly Mix[];
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
  /** Prints what the server's metrics count for each request. */
  readonly counters: boolean;
}

export const USAGE = `Usage: npm run bench:mix -- [options]
  --posts N         posts in the database, such as 20000, 200000 or 1000000 (20000)
  --mix NAMES       mixes, separated by commas: timeline (home pages, users' posts, single posts and new posts) and
                    social (also likes, follows, blocks and deletes) (timeline)
  --writes NS       percentages of new posts in the timeline mix, separated by commas (0,2,10)
  --engines NAMES   engines, separated by commas: ${ENGINE_NAMES.join(', ')} (both)
  --workers NS      numbers of server processes, separated by commas (1,2)
  --seconds N       seconds per round (4)
  --rounds N        rounds, alternating between server and yardstick (5)
  --connections N   keep-alive connections (32)
  --cold            no reading beforehand: each round has a fresh server on a fresh copy of the database
  --sleep           the generator sleeps instead of polling; the server then pays for waking it
  --counters        prints what the server's metrics count for each request, by kind
  --cpu-prof FOLDER the server writes V8 CPU profiles to the folder when it ends; distorts the figures
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
      json: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
    },
  });
  const whole = (option: string, text: string): number => Math.ceil(positive(option, text));
  return {
    posts: whole('--posts', values.posts),
    mixes: values.mix.split(',').flatMap((name) => mixesNamed(name, values.writes)),
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
    counters: values.counters,
  };
}

function mixesNamed(name: string, writes: string): Mix[] {
  if (name === 'social') return [{ title: 'social mix', shares: SOCIAL_MIX }];
  if (name !== 'timeline') throw new RangeError(`--mix accepts timeline and social, not "${name}"`);
  return writes.split(',').map((text) => {
    const percent = Number(text);
    if (!(percent >= 0 && percent <= 100)) throw new RangeError('--writes must be numbers from 0 to 100');
    return { title: `timeline mix, ${percent}% new posts`, shares: readingMix(percent) };
  });
}
