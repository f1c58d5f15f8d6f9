/**
 * The social mix (docs/performance.md): home pages, users' posts, single posts and new posts on a real social graph,
 * by people with a Zipf distribution, each with a token. CPU time for each request beside a bare HTTP server that sends
 * as many bytes, alternating in one run. `npm run bench:mix -- --help` lists the options.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.js';
import { startChild } from './child.js';
import { machineFacts } from './machine.js';
import { readMixOptions, USAGE, type MixOptions } from './mix-options.js';
import { figuresOf, printFigures, type MixFigures } from './mix-report.js';
import { measureSeries, type MixBench } from './mix-series.js';
import { createTemplate, type Template } from './mix-sites.js';
import type { EngineName } from './options.js';

if (process.argv.includes('--help')) console.log(USAGE);
else await main(readMixOptions(process.argv.slice(2)));

async function main(options: MixOptions): Promise<void> {
  const folder = await mkdtemp(join(options.folder, 'pipit-mix-'));
  const bench = await startBench();
  try {
    const machine = await machineFacts(folder);
    console.log(
      Object.entries(machine)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
    const series: MixFigures[] = [];
    for (const engine of options.engines) series.push(...(await onEngine(engine, folder, bench, options)));
    if (options.json !== undefined) {
      await writeFile(options.json, `${JSON.stringify({ machine, series }, undefined, 2)}\n`);
    }
    if (series.some(({ isValid }) => !isValid)) process.exitCode = 1;
  } finally {
    await Promise.all([bench.load.end(), bench.yardstick.end()]);
    await rm(folder, { recursive: true });
  }
}

async function startBench(): Promise<MixBench> {
  const load = startChild('./mix-load.ts');
  const yardstick = startChild('./yardstick.ts');
  return { load, yardstick: { ...yardstick, port: await yardstick.next<number>() } };
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
    return await measureAll({ engine, template, bench, options });
  } finally {
    await postgres?.remove();
  }
}

async function measureAll({
  engine,
  template,
  bench,
  options,
}: {
  readonly engine: EngineName;
  readonly template: Template;
  readonly bench: MixBench;
  readonly options: MixOptions;
}): Promise<MixFigures[]> {
  const all: MixFigures[] = [];
  for (const workers of options.workers) {
    for (const mix of options.mixes) {
      const result = await measureSeries({ bench, template, mix, options, workers });
      const figures = figuresOf({ engine, workers, mix: mix.title, posts: options.posts }, result);
      console.log(printFigures(figures));
      all.push(figures);
    }
  }
  return all;
}
