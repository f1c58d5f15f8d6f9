import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { CASE_NAMES, type CaseName } from './cases.js';

const ENGINE_NAMES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export interface BenchOptions {
  /** Of each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Posts in the database. */
  readonly posts: number;
  readonly only: readonly CaseName[];
  readonly engines: readonly EngineName[];
  /** How many processes answer, one run after the other. */
  readonly workers: readonly number[];
  /** Where the databases go: the disk that is measured. */
  readonly folder: string;
  /** The generator sleeps while it waits, as clients do: see `Round.polls`. */
  readonly sleep: boolean;
  readonly json: boolean;
  /** Shows where the server's time goes, in place of rates. */
  readonly profile: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]
  --seconds N     seconds of a round (2)
  --rounds N      rounds of server and yardstick by turns (5)
  --posts N       posts in the database (5000)
  --only NAMES    of ${CASE_NAMES.join(', ')}, with commas between (all)
  --engines NAMES of ${ENGINE_NAMES.join(', ')}, with a comma between (both)
  --workers NS    numbers of processes, with commas between (1,2)
  --dir FOLDER    where the databases go (the system's folder for temporary files)
  --sleep         the generator sleeps while it waits, in place of polling; the server then pays for waking it
  --json          the results as JSON
  --profile       where the server's time goes, by function, in place of rates`;

/** Throws TypeError or RangeError for options that make no sense. */
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

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`${option} must be a number above 0`);
  return value;
}

function engineName(text: string): EngineName {
  const name = ENGINE_NAMES.find((known) => known === text);
  if (name === undefined) throw new RangeError(`--engines knows ${ENGINE_NAMES.join(', ')}, not "${text}"`);
  return name;
}

function caseName(text: string): CaseName {
  const name = CASE_NAMES.find((known) => known === text);
  if (name === undefined) throw new RangeError(`--only knows ${CASE_NAMES.join(', ')}, not "${text}"`);
  return name;
}
