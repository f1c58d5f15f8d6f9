/**
 * The benchmark (docs/performance.md): the built server compared with a bare `node:http` server that sends the same
 * bytes, and durable posting compared with bare SQLite commits, alternating in one run. `npm run bench -- --help`
 * lists the options.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, databaseUrl, startPostgres } from '../test/support/postgres.js';
import { CASES } from './cases.js';
import { startChild } from './child.js';
import { memoryOf } from './cpu.js';
import { machineFacts } from './machine.js';
import { measureCase, median, type Bench, type CaseResult } from './measure.js';
import { readOptions, USAGE, type BenchOptions, type EngineName } from './options.js';
import { profileCase, type SelfTime } from './profile.js';
import { printReport, type BenchReport } from './report.js';
import { seedDatabase, startBenchServer, timeToFirstAnswer } from './server.js';

const STARTS = 5;
const PROFILE_FOLDERS = 15;
const PROFILE_FUNCTIONS = 40;

if (process.argv.includes('--help')) console.log(USAGE);
else await main(readOptions(process.argv.slice(2)));

async function main(options: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(options.folder, 'pipit-bench-'));
  try {
    if (options.profile) return await profile(options, folder);
    const reports: BenchReport[] = [];
    for (const engine of options.engines) {
      await withDatabase(engine, folder, async (url, place) => {
        const seeded = await seedDatabase(place, options.posts, url);
        for (const workers of options.workers) {
          const report = await measure(options, { engine, workers, place, ...seeded });
          reports.push(report);
          if (!options.json) console.log(printReport(report));
        }
      });
    }
    if (options.json) console.log(JSON.stringify(reports, undefined, 2));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs `work` with an empty database of the engine and a folder for its files. */
async function withDatabase(
  engine: EngineName,
  folder: string,
  use: (url: string, place: string) => Promise<void>,
): Promise<void> {
  const place = join(folder, engine);
  await mkdir(place);
  if (engine === 'sqlite') return use(`sqlite:${join(place, 'pipit.db')}`, place);
  const server = await startPostgres();
  try {
    const admin = server.url('postgres');
    await use(databaseUrl(admin, await createDatabase(admin)), place);
  } finally {
    await server.remove();
  }
}

function chosenCases({ only }: BenchOptions) {
  return CASES.filter((candidate) => only.includes(candidate.name));
}

/** A filled database and the number of processes that serve it. */
interface Site {
  readonly engine: EngineName;
  readonly workers: number;
  readonly place: string;
  readonly url: string;
  readonly seconds: number;
}

async function measure(options: BenchOptions, site: Site): Promise<BenchReport> {
  const firstAnswersMs: number[] = [];
  const [lookup] = CASES;
  for (let count = 0; lookup && count < STARTS; count += 1) {
    firstAnswersMs.push(await timeToFirstAnswer(lookup.plan(0), () => startSite(site)));
  }
  const bench = await startBench(site);
  try {
    const { residentMb: started } = await memoryOf(bench.server.pid);
    const cases: CaseResult[] = [];
    for (const chosen of chosenCases(options)) {
      console.error(`measuring on ${site.engine}: ${chosen.title}`);
      cases.push(await measureCase(bench, chosen, options));
    }
    return {
      engine: site.engine,
      workers: site.workers,
      machine: await machineFacts(site.place),
      posts: options.posts,
      loadSeconds: site.seconds,
      firstAnswerMs: median(firstAnswersMs),
      residentMb: { started, afterwards: (await memoryOf(bench.server.pid)).residentMb },
      cases,
    };
  } finally {
    await endBench(bench);
  }
}

function startSite({ url, place, workers }: Site) {
  return startBenchServer(url, [], place, ['--workers', String(workers)]);
}

async function startBench(site: Site): Promise<Bench> {
  const server = await startSite(site);
  const generator = startChild('./generator.ts');
  const yardstick = startChild('./yardstick.ts');
  const port = await yardstick.next<number>();
  const commits = startChild('./commits.ts', [join(site.place, `commits-${site.workers}.db`)]);
  await commits.next();
  return { server, generator, commits, yardstick: { ...yardstick, port } };
}

async function endBench({ server, generator, commits, yardstick }: Bench): Promise<void> {
  await Promise.all([server.end('SIGTERM'), generator.end(), commits.end(), yardstick.end()]);
}

async function profile(options: BenchOptions, folder: string): Promise<void> {
  const { url } = await seedDatabase(folder, options.posts);
  for (const chosen of chosenCases(options)) {
    const { folders, functions } = await profileCase(url, folder, chosen, options);
    console.log(`\n${chosen.title}: self time of the server's main thread`);
    printTimes(folders.slice(0, PROFILE_FOLDERS));
    printTimes(functions.slice(0, PROFILE_FUNCTIONS));
  }
}

function printTimes(times: readonly SelfTime[]): void {
  for (const { where, share } of times) console.log(`${(share * 100).toFixed(1).padStart(6)}%  ${where}`);
  console.log();
}
