/**
 * The cost of imports: posts per second from a generated twarc2 file into a new database, indexed for search, by the
 * built program from start to exit; its memory; and the size of the index, alternating between SQLite and PostgreSQL.
 * `npm run bench:import -- --help`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/database/open-engine.js';
import { syntheticPage } from '../test/archive/synthetic.js';
import { startPostgres, type PostgresServer } from '../test/support/postgres.js';
import { memoryOf } from './cpu.js';
import { median } from './measure.js';
import { indexBytes, newDatabase } from './search-sites.js';

const USAGE = `Usage: npm run bench:import -- [options]
  --posts N       posts in the file (200000)
  --rounds N      imports, each into a new database (3)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --dir FOLDER    folder of the file and the SQLite databases (the system's temporary folder)`;

/** Posts per second (docs/performance.md). */
const TARGET = 20_000;
const PAGE = 250;
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SAMPLE_MS = 50;

type EngineName = 'sqlite' | 'postgres';

/** The result of one import. */
interface Import {
  readonly seconds: number;
  readonly peakMb: number;
  readonly indexBytes: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      posts: { type: 'string', default: '200000' },
      rounds: { type: 'string', default: '3' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const engines = values.engines.split(',').map(engineName);
  const pages = Math.ceil(Number(values.posts) / PAGE);
  const folder = await mkdtemp(join(values.dir, 'pipit-import-'));
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined;
  try {
    const file = join(folder, 'posts.jsonl');
    await pipeline(Readable.from(pagesOf(pages)), createWriteStream(file));
    const imports = new Map(engines.map((engine) => [engine, [] as Import[]]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const [engine, done] of imports) {
        const place = join(folder, `${engine}-${round}`);
        await mkdir(place);
        done.push(await importInto(engine, await databaseFor(place, engine, postgres), file));
        await rm(place, { recursive: true });
      }
    }
    for (const [engine, done] of imports) report(engine, pages * PAGE, done);
  } finally {
    await postgres?.remove();
    await rm(folder, { recursive: true });
  }
}

function engineName(text: string): EngineName {
  if (text === 'sqlite' || text === 'postgres') return text;
  throw new RangeError(`--engines accepts sqlite and postgres, not "${text}"`);
}

function* pagesOf(count: number): Generator<string, void> {
  for (let page = 0; page < count; page += 1) yield `${syntheticPage(page * PAGE, PAGE)}\n`;
}

async function databaseFor(
  place: string,
  engine: EngineName,
  postgres: PostgresServer | undefined,
): Promise<string> {
  return engine === 'postgres' && postgres ? newDatabase(postgres) : `sqlite:${join(place, 'pipit.db')}`;
}

async function importInto(name: EngineName, database: string, file: string): Promise<Import> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'import', 'twarc', file, '--database', database], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = chunk.toString()));
  const exit = once(child, 'exit');
  let peakMb = 0;
  const sampling = setInterval(() => {
    // NaN once the process has ended.
    void memoryOf(child.pid ?? 0).then(({ residentMb: mb }) => (peakMb = mb > peakMb ? mb : peakMb));
  }, SAMPLE_MS);
  const [status] = (await exit) as [number | null];
  clearInterval(sampling);
  const seconds = (performance.now() - startMs) / 1000;
  if (status !== 0) throw new Error(`the import ended with ${status}: ${output}`);
  const engine = await openEngine(database, { durability: 'relaxed' });
  try {
    return { seconds, peakMb, indexBytes: await indexBytes(engine, name) };
  } finally {
    await engine.close();
  }
}

function report(engine: EngineName, posts: number, imports: readonly Import[]): void {
  const of = (read: (one: Import) => number): number => median(imports.map(read));
  const perSecond = posts / of(({ seconds }) => seconds);
  console.log(
    `${engine}, ${posts} posts: ${perSecond.toFixed(0)} imported and indexed/s (target >= ${TARGET}, ` +
      `${perSecond >= TARGET ? 'reached' : 'MISSED'}), at most ${of(({ peakMb }) => peakMb).toFixed(0)} MB resident, ` +
      `${(of((one) => one.indexBytes) / posts).toFixed(0)} index bytes per post`,
  );
}

await main();
