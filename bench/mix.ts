/**
 * Mixes of requests on a real social graph (docs/performance.md): home pages, users' posts, single posts and new posts
 * by people with a Zipf distribution, each with a token; or one kind of request at a time. CPU time for each request
 * beside a bare HTTP server that sends as many bytes, in turns. `npm run bench:mix -- --help` lists the options.
 */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.js';
import { startChild } from './child.js';
import { machineFacts } from './machine.js';
import { readMixOptions, USAGE, type EngineName, type MixOptions } from './mix-options.js';
import { printFigures, printWorkers } from './mix-print.js';
import { figuresOf, type MixFigures } from './mix-report.js';
import { measureCold, measureGroup, type MixBench, type MixResult, type Series } from './mix-series.js';
import { createTemplate, type Template } from './mix-sites.js';
import type { MixGroup } from './mixes.js';
import { printProfile } from './profile.js';

if (process.argv.includes('--help')) console.log(USAGE);
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await main(readMixOptions(process.argv.slice(2)));
}

async function main(options: MixOptions): Promise<void> {
  const folder = await mkdtemp(join(options.folder, 'pipit-mix-'));
  // Aborted runs, too, remove their own folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bench = await startBench(folder);
  try {
    const machine = await machineFacts(folder);
    const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
    console.log(facts.join(', '));
    const series: MixFigures[] = [];
    for (const engine of options.engines) series.push(...(await onEngine(engine, folder, bench, options)));
    for (const line of printWorkers(series)) console.log(line);
    if (options.json !== undefined) {
      await writeFile(options.json, `${JSON.stringify({ machine, series }, undefined, 2)}\n`);
    }
    if (series.some(({ isValid }) => !isValid)) process.exitCode = 1;
  } finally {
    await Promise.all([bench.load.end(), bench.yardstick.end(), bench.commits.end()]);
  }
}

async function startBench(folder: string): Promise<MixBench> {
  const load = startChild('./mix-load.ts');
  const yardstick = startChild('./yardstick.ts');
  const port = await yardstick.next<number>();
  const commits = startChild('./commits.ts', [join(folder, 'commits.db')]);
  await commits.next();
  return { load, yardstick: { ...yardstick, port }, commits };
}

async function onEngine(
  engine: EngineName,
  folder: string,
  bench: MixBench,
  options: MixOptions,
): Promise<MixFigures[]> {
  const place = join(folder, engine);
  await mkdir(place);
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  try {
    const template = await createTemplate(place, options.posts, postgres);
    const { people, follows, graph } = template.world;
    console.log(
      `${engine}: ${people.length} people, ${follows} follows (${graph}), ${options.posts} posts, ` +
        `filled in ${template.fillSeconds.toFixed(1)} s`,
    );
    return await measureAll(engine, template, bench, options);
  } finally {
    await postgres?.remove();
  }
}

async function measureAll(
  engine: EngineName,
  template: Template,
  bench: MixBench,
  options: MixOptions,
): Promise<MixFigures[]> {
  const all: MixFigures[] = [];
  for (const workers of options.workers) {
    for (const [number, group] of options.groups.entries()) {
      const profiles = options.profiles && join(options.profiles, `${engine}-${workers}-${number + 1}`);
      const series: Series = { bench, template, options, workers, profiles };
      for (const result of await measure(series, group)) {
        const figures = figuresOf({ engine, workers, posts: options.posts }, result);
        console.log(printFigures(figures));
        all.push(figures);
      }
      if (profiles) console.log(`\n${await printProfile(profiles, profiledSeconds(options, group))}`);
    }
  }
  return all;
}

async function measure(series: Series, group: MixGroup): Promise<MixResult[]> {
  if (!series.options.cold) return measureGroup(series, group);
  const results: MixResult[] = [];
  for (const mix of group) results.push(await measureCold(series, mix));
  return results;
}

/** Returns the length of the measured rounds, in which server and yardstick take turns. */
function profiledSeconds({ seconds, rounds }: MixOptions, group: MixGroup): number {
  return 2 * seconds * rounds * group.length;
}
