import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { CASE_NAMES, type CaseName } from './cases.js';

export const ENGINE_NAMES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export interface BenchOptions {
  /** Seconds per round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Posts in the database. */
  readonly posts: number;
  readonly only: readonly CaseName[];
  readonly engines: readonly EngineName[];
  /** The numbers of processes to measure, one run each. */
  readonly workers: readonly number[];
  /** The folder of the databases: the disk that is measured. */
  readonly folder: string;
  /** The generator sleeps while it waits, like clients: see `Round.polls`. */
  readonly sleep: boolean;
  readonly json: boolean;
  /** Prints where the server spends its time instead of rates. */
  readonly profile: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]
  --seconds N     seconds per round (2)
  --rounds N      rounds, alternating between server and yardstick (5)
  --posts N       posts in the database (5000)
  --only NAMES    cases, separated by commas: ${CASE_NAMES.join(', ')} (all)
  --engines NAMES engines, separated by commas: ${ENGINE_NAMES.join(', ')} (both)
  --workers NS    numbers of processes, separated by commas (1,2)
  --dir FOLDER    folder of the databases (the system's temporary folder)
  --sleep         the generator sleeps instead of polling; the server then pays for waking it
  --json          prints the results as JSON
  --profile       prints the server's time by function instead of rates`;

/** Parses options. Throws TypeError or RangeError for invalid ones. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      posts: { type: 'string', default: '5000' },
      only: { type: 'string', default: CASE_NAMES.join(',') },
      engines: { type: 'string', default: ENGINE_NAMES.join(',') },
      workers: { type: 'string', default: '1,2' },
      dir: { type: 'string', default: tmpdir() },
      sleep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  return {
    seconds: positive('--seconds', values.seconds),
    rounds: Math.ceil(positive('--rounds', values.rounds)),
    posts: Math.max(1000, Math.ceil(positive('--posts', values.posts))),
    only: values.only.split(',').map(caseName),
    engines: values.engines.split(',').map(engineName),
    workers: values.workers.split(',').map((text) => Math.ceil(positive('--workers', text))),
    folder: values.dir,
    sleep: values.sleep,
    json: values.json,
    profile: values.profile,
  };
}

/** Parses a number above 0. Throws RangeError for anything else. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`${option} must be a number above 0`);
  return value;
}

/** Parses the name of an engine. Throws RangeError for anything else. */
export function engineName(text: string): EngineName {
  const name = ENGINE_NAMES.find((known) => known === text);
  if (name === undefined) throw new RangeError(`--engines accepts ${ENGINE_NAMES.join(', ')}, not "${text}"`);
  return name;
}

function caseName(text: string): CaseName {
  const name = CASE_NAMES.find((known) => known === text);
  if (name === undefined) throw new RangeError(`--only accepts ${CASE_NAMES.join(', ')}, not "${text}"`);
  return name;
}
