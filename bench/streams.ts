/**
 * Filtered streams over HTTP (docs/performance.md#streams): the time from the acknowledgement of a post to its arrival,
 * what open streams cost a post, and the memory over many messages. `npm run bench:streams -- --help`.
 */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.js';
import { machineFacts } from './machine.js';
import { median } from './measure.js';
import { createTemplate } from './mix-sites.js';
import {
  measureStreams,
  type StreamFigures,
  type StreamMemory,
  type StreamOptions,
  type StreamRound,
} from './stream-series.js';

const USAGE = `Usage: npm run bench:streams -- [options]
  --connections N    streams of one app (100)
  --rate N           posts per second while delivery and cost are measured (100)
  --seconds N        seconds per round (10)
  --rounds N         rounds for each number of streams (1)
  --gzip             the streams are compressed
  --messages N       messages over which the memory is watched; 0 leaves this out (1000000)
  --engines NAMES    engines, separated by commas: sqlite, postgres (both)
  --workers NS       numbers of server processes, separated by commas (1,2)
  --posts N          posts in the database (2000)
  --cpu-prof FOLDER  the server writes V8 CPU profiles to the folder when it ends; distorts the figures`;

const P99_TARGET_MS = 100;
/** The resident memory of each process may differ by so much: garbage that was not collected yet. */
const FLAT_MB = 64;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '100' },
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '1' },
      gzip: { type: 'boolean', default: false },
      messages: { type: 'string', default: '1000000' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      workers: { type: 'string', default: '1,2' },
      posts: { type: 'string', default: '2000' },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const options: StreamOptions = {
    connections: Number(values.connections),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    isZipped: values.gzip,
    messages: Number(values.messages),
    profiles: values['cpu-prof'] === undefined ? undefined : resolve(values['cpu-prof']),
  };
  const folder = await mkdtemp(join(tmpdir(), 'pipit-streams-'));
  // Aborted runs, too, remove their own folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const machine = Object.entries(await machineFacts(folder)).map(([name, value]) => `${name} ${value}`);
  console.log(machine.join(', '));
  const workers = values.workers.split(',').map(Number);
  for (const engine of values.engines.split(',')) {
    await onEngine(engine, join(folder, engine), { ...options, posts: Number(values.posts), workers });
  }
}

async function onEngine(
  engine: string,
  folder: string,
  options: StreamOptions & { readonly posts: number; readonly workers: readonly number[] },
): Promise<void> {
  await mkdir(folder);
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  try {
    const template = await createTemplate(folder, options.posts, postgres);
    for (const workers of options.workers) {
      const profiles = options.profiles && join(options.profiles, `${engine}-${workers}`);
      const figures = await measureStreams(template, { ...options, profiles }, workers);
      console.log(
        `\n${engine}, ${workers} ${workers === 1 ? 'process' : 'processes'}, ${options.rate} posts/s`,
      );
      for (const line of print(figures, options, workers)) console.log(line);
    }
  } finally {
    await postgres?.remove();
  }
}

const COLUMNS = ['streams', 'us CPU', 'PostgreSQL', 'ack p50', 'p50 ms', 'p99 ms', 'max ms', 'sent p99'];

function print(
  { rounds, memory, profile }: StreamFigures,
  { connections }: StreamOptions,
  workers: number,
): string[] {
  const names = new Set(rounds.map(({ load }) => load.name));
  const rows = [...names].map((name) => rounds.filter(({ load }) => load.name === name));
  return [
    row(COLUMNS),
    ...rows.map(printRounds),
    ...rows.flatMap((row) => printVerdict(row, connections)),
    ...(memory ? printMemory(memory, FLAT_MB * workers) : []),
    ...(profile === undefined ? [] : ['', profile]),
  ];
}

function row(cells: readonly string[]): string {
  return `  ${cells.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(11))).join('')}`;
}

function printRounds(rounds: readonly StreamRound[]): string {
  const of = (read: (round: StreamRound) => number | undefined, digits: number): string => {
    const figure = median(rounds.map((round) => read(round) ?? NaN));
    return Number.isNaN(figure) ? '' : figure.toFixed(digits);
  };
  return row([
    rounds[0]?.load.name ?? '',
    of(({ cpuMicros }) => cpuMicros, 0),
    of(({ databaseMicros }) => databaseMicros, 0),
    of(({ ackP50Ms }) => ackP50Ms, 1),
    of(({ p50Ms }) => p50Ms, 1),
    of(({ p99Ms }) => p99Ms, 1),
    of(({ maxMs }) => maxMs, 1),
    of(({ sentP99Ms }) => sentP99Ms, 1),
  ]);
}

function printVerdict(rounds: readonly StreamRound[], connections: number): string[] {
  const faults = rounds
    .filter(({ missing, misplaced }) => missing + misplaced > 0)
    .map(({ missing, misplaced }) => `  INVALID: ${missing} messages missing, ${misplaced} out of order`);
  if (rounds[0]?.load.streams !== connections) return faults;
  const p99Ms = median(rounds.map((round) => round.p99Ms));
  const verdict = p99Ms <= P99_TARGET_MS ? 'reached' : 'MISSED';
  return [...faults, `  p99 with ${connections} streams: target <= ${P99_TARGET_MS} ms, ${verdict}`];
}

function printMemory(memory: StreamMemory, mostMb: number): string[] {
  // The caches fill during the first part.
  const [, first = NaN, ...later] = memory.residentMb;
  const grown = (later.at(-1) ?? NaN) - first;
  const end = memory.slowReader?.includes('SlowReader') ? 'got the message that it is too slow' : 'was cut';
  return [
    `  ${memory.messages} messages, ${memory.perSecond.toFixed(0)}/s: resident ` +
      `${memory.residentMb.map((each) => each.toFixed(0)).join(', ')} MB, peak ${memory.peakMb.toFixed(0)} MB ` +
      `(target: at most ${mostMb} MB more after the first quarter, ${grown <= mostMb ? 'reached' : 'MISSED'})`,
    `  beside a stream that was not read, which ${memory.slowReader === undefined ? 'STAYED OPEN' : end}; ` +
      `${memory.missing} messages missing, ${memory.misplaced} out of order`,
  ];
}

await main();
