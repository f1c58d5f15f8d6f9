/**
 * The cost of growth: lookups of random posts over HTTP in a database of 10,000 posts and one of 1,000,000,
 * alternating in one run, on SQLite and PostgreSQL, with the server’s resident memory. `npm run bench:growth --
 * --help`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { administer, createDatabase, databaseUrl, startPostgres } from '../test/support/postgres.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { startChild, type Child } from './child.js';
import { fillDatabase } from './fill.js';
import { memoryOf } from './cpu.js';
import { measureSide, median, type SideResult } from './measure.js';
import { randomGet } from './requests.js';
import { startBenchServer } from './server.js';
import { BEARER } from './world.js';

const USAGE = `Usage: npm run bench:growth -- [options]
  --small N       posts in the small database (10000)
  --large N       posts in the large database (1000000)
  --seconds N     seconds per round (2)
  --rounds N      rounds, alternating between small and large (7)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --dir FOLDER    folder of the SQLite databases (the system's temporary folder)`;

const CASES = [
  { title: 'GET /2/tweets/{id}', count: 1, path: '/2/tweets/{ids}' },
  { title: 'GET /2/tweets, 100 ids', count: 100, path: '/2/tweets?ids={ids}' },
  {
    title: '100 ids, authors and metrics',
    count: 100,
    path: '/2/tweets?ids={ids}&expansions=author_id&tweet.fields=public_metrics,created_at',
  },
] as const;
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 3;

/** The highest cost ratio of the larger database, by engine (docs/performance.md). */
const TARGETS: Readonly<Record<string, number>> = { sqlite: 1.3, postgres: 1.5 };

interface Site {
  readonly posts: number;
  readonly server: ServerProcess;
  readonly startedMb: number;
}

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly sizes: readonly number[];
}

type Case = (typeof CASES)[number];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      small: { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '7' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const sizes = [Number(values.small), Number(values.large)];
  const options = { seconds: Number(values.seconds), rounds: Number(values.rounds), sizes };
  const folder = await mkdtemp(join(values.dir, 'pipit-growth-'));
  try {
    for (const engine of values.engines.split(',')) {
      await (engine === 'postgres' ? onPostgres(folder, options) : onSqlite(folder, options));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function onSqlite(folder: string, options: Options): Promise<void> {
  return compare('sqlite', folder, options, async (place) => `sqlite:${join(place, 'pipit.db')}`);
}

async function onPostgres(folder: string, options: Options): Promise<void> {
  const server = await startPostgres();
  try {
    const admin = server.url('postgres');
    await compare('postgres', folder, options, async () => databaseUrl(admin, await createDatabase(admin)));
  } finally {
    await server.remove();
  }
}

async function compare(
  engine: string,
  folder: string,
  options: Options,
  newDatabase: (place: string) => Promise<string>,
): Promise<void> {
  const sites: Site[] = [];
  const generator = startChild('./generator.ts');
  try {
    for (const posts of options.sizes) {
      const place = join(folder, `${engine}-${posts}`);
      await mkdir(place);
      sites.push(await openSite(engine, place, await newDatabase(place), posts));
    }
    for (const lookup of CASES) report(engine, lookup, await measure(generator, sites, lookup, options));
    for (const { posts, server, startedMb } of sites) {
      const { residentMb: nowMb } = await memoryOf(server.pid);
      console.log(
        `${engine}, ${posts} posts: resident ${startedMb.toFixed(0)} MB, ${nowMb.toFixed(0)} after`,
      );
    }
  } finally {
    await Promise.all([generator.end(), ...sites.map(({ server }) => server.end('SIGTERM'))]);
  }
}

async function openSite(engine: string, place: string, url: string, posts: number): Promise<Site> {
  const startMs = performance.now();
  await fillDatabase(place, url, posts);
  if (engine === 'postgres') await administer(url, 'VACUUM ANALYZE');
  console.error(`${engine}: ${posts} posts in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  const server = await startBenchServer(url, [], place);
  return { posts, server, startedMb: (await memoryOf(server.pid)).residentMb };
}

/** Returns one list of results per site. */
async function measure(
  generator: Child,
  sites: readonly Site[],
  { path, count }: Case,
  { seconds, rounds }: Options,
): Promise<SideResult[][]> {
  const ask = ({ server, posts }: Site, length: number): Promise<SideResult> => {
    const plan = randomGet(path, 'bench.example', `Bearer ${BEARER}`, { count, posts });
    const round = {
      port: server.port,
      connections: CONNECTIONS,
      seconds: length,
      status: 200,
      polls: true,
      plan,
    };
    return measureSide(generator, server.pid, round);
  };
  for (const site of sites) await ask(site, WARM_UP_SECONDS);
  const results = sites.map((): SideResult[] => []);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [index, site] of sites.entries()) results[index]?.push(await ask(site, seconds));
  }
  return results;
}

function report(engine: string, { title }: Case, [small = [], large = []]: SideResult[][]): void {
  const ratioOf = (read: (side: SideResult) => number): number =>
    median(large.map((side, turn) => read(side) / read(small[turn] ?? side)));
  const time = ratioOf((side) => 1 / side.perSecond);
  const cpu = ratioOf((side) => side.cpuMicroseconds);
  const rate = (sides: SideResult[]): string => median(sides.map((side) => side.perSecond)).toFixed(0);
  const target = TARGETS[engine] ?? NaN;
  console.log(
    `${engine}, ${title}: ${rate(small)}/s and ${rate(large)}/s, ${time.toFixed(2)} times the time ` +
      `(target <= ${target}, ${time <= target ? 'reached' : 'MISSED'}), ${cpu.toFixed(2)} times the CPU of the server`,
  );
}

await main();
