/**
 * The rate of the fan-out and its effect on reads, and the cost of following and being followed by many
 * (docs/performance.md). `npm run bench:social -- --help`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, databaseUrl, startPostgres } from '../test/support/postgres.js';
import { machineFacts } from './machine.js';
import { measureCosts } from './social-costs.js';
import { measureFanOut } from './social-fan-out.js';

const USAGE = `Usage: npm run bench:social -- [options]
  --seconds N     seconds per round (4)
  --rounds N      rounds of the costs (3)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --parts NAMES   parts, separated by commas: fan-out, costs (all)
  --dir FOLDER    folder of the SQLite databases (the system's temporary folder)`;

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly parts: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      parts: { type: 'string', default: 'fan-out,costs' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    parts: values.parts.split(','),
  };
  const folder = await mkdtemp(join(values.dir, 'pipit-social-'));
  try {
    const machine = Object.entries(await machineFacts(folder)).map(([name, value]) => `${name} ${value}`);
    console.log(machine.join(', '));
    for (const engine of values.engines.split(',')) {
      await (engine === 'postgres' ? onPostgres(folder, options) : onSqlite(folder, options));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function onSqlite(folder: string, options: Options): Promise<void> {
  return onEngine('sqlite', folder, options, async (name) => `sqlite:${join(folder, `${name}.db`)}`);
}

async function onPostgres(folder: string, options: Options): Promise<void> {
  const server = await startPostgres();
  try {
    const admin = server.url('postgres');
    await onEngine('postgres', folder, options, async () => databaseUrl(admin, await createDatabase(admin)));
  } finally {
    await server.remove();
  }
}

async function onEngine(
  engine: string,
  folder: string,
  options: Options,
  newDatabase: (name: string) => Promise<string>,
): Promise<void> {
  const place = join(folder, engine);
  await mkdir(place);
  console.log(`\n${engine}`);
  if (options.parts.includes('fan-out')) await measureFanOut(engine, place, await newDatabase('fan_out'));
  if (options.parts.includes('costs')) await measureCosts(engine, place, await newDatabase('costs'), options);
}

await main();
