/**
 * A social network under load (docs/performance.md): 60% home timelines, 30% user timelines and 10% posts on the
 * graph of bench/social-world.ts; the delay of the fan-out; pages of 20 compared with the bare HTTP server; and the
 * cost of following and being followed by many. `npm run bench:social -- --help`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/database/open-engine.js';
import { sql } from '../src/database/sql.js';
import { createDatabase, databaseUrl, startPostgres } from '../test/support/postgres.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { startChild, type Child } from './child.js';
import { machineFacts } from './machine.js';
import { cannedOf, measureBeside, median, sampleOf } from './measure.js';
import { loadWorldDocument, startBenchServer } from './server.js';
import { measureCosts } from './social-costs.js';
import {
  homeRequest,
  KINDS,
  userRequest,
  type Kind,
  type SocialReport,
  type SocialRound,
} from './social-load.js';
import { measureFanOut } from './social-fan-out.js';
import { socialWorld, type SocialUser, type SocialWorld } from './social-world.js';

const USAGE = `Usage: npm run bench:social -- [options]
  --seconds N     seconds per round (4)
  --rounds N      rounds of the mixed load (3)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --workers N     server processes (1)
  --parts NAMES   parts, separated by commas: load, pages, fan-out, costs (all)
  --dir FOLDER    folder of the SQLite databases (the system's temporary folder)`;

const CONNECTIONS = 32;
const LAG_SAMPLE_MS = 20;
const PAGE_TARGET = 0.2;

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly workers: string;
  readonly parts: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      workers: { type: 'string', default: '1' },
      parts: { type: 'string', default: 'load,pages,fan-out,costs' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    workers: values.workers,
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
  const world = socialWorld();
  console.log(`\n${engine}: ${world.users.length} people, ${world.follows} follows (${world.graph})`);
  const url = await newDatabase('social');
  const file = join(place, 'world.json');
  await writeFile(file, JSON.stringify(world.document));
  await loadWorldDocument(place, file, url);
  const server = await startBenchServer(url, [], place, ['--workers', options.workers]);
  try {
    if (options.parts.includes('load')) await measureLoad(server, url, world, options);
    if (options.parts.includes('pages')) await measurePages(server, world, options);
  } finally {
    await server.end('SIGTERM');
  }
  if (options.parts.includes('fan-out')) await measureFanOut(engine, place, await newDatabase('fan_out'));
  if (options.parts.includes('costs')) await measureCosts(engine, place, await newDatabase('costs'), options);
}

async function measureLoad(
  server: ServerProcess,
  url: string,
  { users }: SocialWorld,
  { seconds, rounds }: Options,
): Promise<void> {
  const load = startChild('./social-load.ts');
  const yardstick = startChild('./yardstick.ts');
  const barePort = await yardstick.next<number>();
  const [reader] = users;
  const ask = (round: number, target: Pick<SocialRound, 'port' | 'status'>): Promise<SocialReport> => {
    const task: SocialRound = { ...target, connections: CONNECTIONS, seconds, users, round };
    return load.ask<SocialReport>(task);
  };
  try {
    // Most of the load consists of pages like this one.
    if (reader) await yardstick.ask([cannedOf(await sampleOf(server.port, homeRequest(reader)))]);
    await warmTimelines(server.port, users);
    await ask(0, server);
    const reports: SocialReport[] = [];
    const bare: SocialReport[] = [];
    const lags: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bare.push(await ask(round, { port: barePort, status: 200 }));
      const lag = await watchLag(url);
      reports.push(await ask(round, server));
      lags.push(...(await lag.stop()));
    }
    printLoad(
      reports,
      bare,
      lags.sort((one, other) => one - other),
    );
  } finally {
    await Promise.all([load.end(), yardstick.end()]);
  }
}

/** Reads every user’s home timeline for the first time, which builds it. */
async function warmTimelines(port: number, users: readonly SocialUser[]): Promise<void> {
  const times: number[] = [];
  for (const user of users) {
    const startMs = performance.now();
    await sampleOf(port, homeRequest(user));
    times.push(performance.now() - startMs);
  }
  console.log(`  first home page of each: median ${median(times).toFixed(2)} ms`);
}

/** Samples the age in milliseconds of the oldest post awaiting fan-out. */
async function watchLag(url: string): Promise<{ stop(): Promise<number[]> }> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  const samples: number[] = [];
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      const row = await engine.get(sql`SELECT MIN(created_at) AS oldest FROM pending_fan_outs`);
      const oldest = row?.oldest;
      samples.push(oldest === null || oldest === undefined ? 0 : Math.max(0, Date.now() - Number(oldest)));
      await new Promise((resolve) => setTimeout(resolve, LAG_SAMPLE_MS));
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await watching;
      await engine.close();
      return samples;
    },
  };
}

function printLoad(
  reports: readonly SocialReport[],
  bare: readonly SocialReport[],
  lag: readonly number[],
): void {
  const [rate, bareRate] = [reports, bare].map((sides) => median(sides.map(({ perSecond }) => perSecond)));
  const share = median(reports.map(({ perSecond }, turn) => perSecond / (bare[turn]?.perSecond ?? NaN)));
  console.log(
    `  mixed load, ${CONNECTIONS} connections: ${rate?.toFixed(0)}/s, ` +
      `yardstick ${bareRate?.toFixed(0)}/s, ${(share * 100).toFixed(0)}%`,
  );
  for (const kind of KINDS) {
    const [own, beside] = [reports, bare].map((sides) => quantilesOf(sides, kind));
    console.log(`    ${kind.padEnd(5)} ${own}; yardstick ${beside}`);
  }
  const at = (share: number): number => lag[Math.floor(lag.length * share)] ?? 0;
  console.log(`    fan-out lag p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, maximum ${lag.at(-1) ?? 0} ms`);
  for (const [status, count] of reports.flatMap((report) => report.failures)) {
    console.log(`    ${count} responses with status ${status}: the figures above are invalid`);
  }
}

function quantilesOf(reports: readonly SocialReport[], kind: Kind): string {
  const p50 = median(reports.map((report) => report.kinds[kind].p50Ms));
  const p99 = median(reports.map((report) => report.kinds[kind].p99Ms));
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

async function measurePages(server: ServerProcess, { users }: SocialWorld, options: Options): Promise<void> {
  const generator: Child = startChild('./generator.ts');
  const yardstick = startChild('./yardstick.ts');
  const port = await yardstick.next<number>();
  const [reader, other] = users;
  if (!reader || !other) return;
  const bench = { server, generator, yardstick: { ...yardstick, port } };
  try {
    for (const [title, text] of [
      ['home timeline, 20 posts with authors', homeRequest(reader)],
      ['user posts, 20 with author', userRequest(reader, other)],
    ] as const) {
      const { share, perSecond, yardstickPerSecond } = await measureBeside(bench, text, CONNECTIONS, options);
      const verdict = share >= PAGE_TARGET ? 'reached' : 'MISSED';
      console.log(
        `  ${title}: ${perSecond.toFixed(0)}/s, yardstick ${yardstickPerSecond.toFixed(0)}/s, ` +
          `${(share * 100).toFixed(0)}% (target >= ${PAGE_TARGET * 100}%, ${verdict})`,
      );
    }
  } finally {
    await Promise.all([generator.end(), yardstick.end()]);
  }
}

await main();
