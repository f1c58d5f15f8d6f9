/**
 * The benchmark (design section 7): our built server beside a bare `node:http` server that sends the same bytes, and
 * durable posting beside bare SQLite commits, by turns in one run. `npm run bench -- --help` lists the options.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CASES } from './cases.js';
import { startChild } from './child.js';
import { machineFacts, residentMbOf } from './machine.js';
import { measureCase, median, type Bench, type CaseResult } from './measure.js';
import { readOptions, USAGE, type BenchOptions } from './options.js';
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
    if (options.profile) await profile(options, folder);
    else {
      const report = await measure(options, folder);
      console.log(options.json ? JSON.stringify(report, undefined, 2) : printReport(report));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function chosenCases({ only }: BenchOptions) {
  return CASES.filter((candidate) => only.includes(candidate.name));
}

async function measure(options: BenchOptions, folder: string): Promise<BenchReport> {
  const seeded = await seedDatabase(folder, options.posts);
  const firstAnswersMs: number[] = [];
  const [lookup] = CASES;
  for (let count = 0; lookup && count < STARTS; count += 1) {
    firstAnswersMs.push(await timeToFirstAnswer(seeded.url, lookup.plan(0)));
  }
  const bench = await startBench(seeded.url, folder);
  try {
    const started = await residentMbOf(bench.server.pid);
    const cases: CaseResult[] = [];
    for (const chosen of chosenCases(options)) {
      console.error(`measuring: ${chosen.title}`);
      cases.push(await measureCase(bench, chosen, options));
    }
    return {
      machine: await machineFacts(folder),
      posts: options.posts,
      loadSeconds: seeded.seconds,
      firstAnswerMs: median(firstAnswersMs),
      residentMb: { started, afterwards: await residentMbOf(bench.server.pid) },
      cases,
    };
  } finally {
    await endBench(bench);
  }
}

async function startBench(database: string, folder: string): Promise<Bench> {
  const server = await startBenchServer(database);
  const generator = startChild('./generator.ts');
  const yardstick = startChild('./yardstick.ts');
  const port = await yardstick.next<number>();
  const commits = startChild('./commits.ts', [join(folder, 'commits.db')]);
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
