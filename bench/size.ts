/**
 * What archives of growing size need, on SQLite and PostgreSQL: the time of the import, the size of tables and indexes,
 * the start of a server, its memory, search, counts and the backup (docs/scaling.md#sizes). `npm run bench:size --
 * --help`.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/database/open-engine.js';
import { asNumber, asText, rawSql } from '../src/database/sql.js';
import { tidyIndex } from '../src/services/search/index-posts.js';
import { syntheticPage, syntheticPostId } from '../test/archive/synthetic.js';
import { administer, startPostgres, type PostgresServer } from '../test/support/postgres.js';
import { memoryOf } from './cpu.js';
import { median } from './measure.js';
import { newDatabase } from './search-sites.js';
import { runPipit, seedDatabase, startBenchServer } from './server.js';
import { BEARER } from './world.js';

const USAGE = `Usage: npm run bench:size -- [options]
  --posts NS      posts of the archives, separated by commas (10000,100000)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --dir FOLDER    folder of the files and the SQLite databases (the system's temporary folder)`;

const PAGE = 250;
const ASKED = 15;

type Figures = Record<string, number | string>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      posts: { type: 'string', default: '10000,100000' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const engines = values.engines.split(',');
  const folder = await mkdtemp(join(values.dir, 'pipit-size-'));
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined;
  try {
    for (const posts of values.posts.split(',').map(Number)) {
      const file = join(folder, `${posts}.jsonl`);
      await pipeline(Readable.from(pagesOf(Math.ceil(posts / PAGE))), createWriteStream(file));
      for (const engine of engines) {
        const place = join(folder, `${engine}-${posts}`);
        await mkdir(place);
        const server = engine === 'postgres' ? postgres : undefined;
        console.log(`\n${engine}, ${posts} posts`);
        console.table([await measure({ place, file, posts, server })]);
        await rm(place, { recursive: true });
      }
      await rm(file);
    }
  } finally {
    await postgres?.remove();
    await rm(folder, { recursive: true });
  }
}

function* pagesOf(count: number): Generator<string, void> {
  for (let page = 0; page < count; page += 1) yield `${syntheticPage(page * PAGE, PAGE)}\n`;
}

interface Archive {
  readonly place: string;
  readonly file: string;
  readonly posts: number;
  /** Absent for SQLite. */
  readonly server: PostgresServer | undefined;
}

async function measure({ place, file, posts, server }: Archive): Promise<Figures> {
  const url = server ? await newDatabase(server) : `sqlite:${join(place, 'pipit.db')}`;
  await seedDatabase(place, 0, url);
  const importSeconds = await secondsOf(() => runPipit(place, ['import', 'twarc', file, '--database', url]));
  const sizes = await tidySizes(url, server !== undefined);
  const startMs = performance.now();
  const running = await startBenchServer(url, [], place);
  const startSeconds = (performance.now() - startMs) / 1_000;
  try {
    const served = await serve(`http://127.0.0.1:${running.port}`, posts);
    const backup: Figures = server ? {} : { 'backup, s': await backupSeconds(place, url) };
    return {
      'import, s': shown(importSeconds),
      ...sizes,
      'start, s': shown(startSeconds),
      ...served,
      'resident, MB': Math.round((await memoryOf(running.pid)).residentMb),
      ...backup,
    };
  } finally {
    await running.end('SIGTERM');
  }
}

/** Does the maintenance of an idle server, and returns the sizes of what is stored, by kind. */
async function tidySizes(url: string, isPostgres: boolean): Promise<Figures> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    while (await tidyIndex(engine));
    if (isPostgres) await administer(url, 'VACUUM ANALYZE');
    const rows = await engine.all(rawSql(isPostgres ? POSTGRES_SIZES : SQLITE_SIZES));
    const mb = new Map(rows.map((row) => [asText(row['kind']), asNumber(row['bytes']) / 1e6]));
    return Object.fromEntries(
      ['tables', 'indexes', 'search'].map((kind) => [`${kind}, MB`, shown(mb.get(kind) ?? 0)]),
    );
  } finally {
    await engine.close();
  }
}

const SQLITE_SIZES = `
  SELECT CASE WHEN s.name LIKE 'search~_posts%' ESCAPE '~' THEN 'search' WHEN m.type = 'index' THEN 'indexes'
    ELSE 'tables' END AS kind, SUM(s.pgsize) AS bytes
  FROM dbstat s LEFT JOIN sqlite_schema m ON m.name = s.name WHERE s.aggregate = 1 GROUP BY 1`;

const POSTGRES_SIZES = `
  SELECT CASE WHEN c.relname LIKE 'search\\_%' THEN 'search' WHEN c.relkind = 'i' THEN 'indexes' ELSE 'tables' END AS kind,
    CAST(SUM(pg_relation_size(c.oid) + COALESCE(pg_relation_size(NULLIF(c.reltoastrelid, 0)), 0)) AS BIGINT) AS bytes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'i') GROUP BY 1`;

/** Asks for posts, pages of search and counts of the whole archive, each the first time and again. */
async function serve(url: string, posts: number): Promise<Figures> {
  const ids = Array.from({ length: ASKED }, (_unused, n) => syntheticPostId(Math.floor((n * posts) / ASKED)));
  const all = '2022-01-01T00:00:00Z';
  const figures: Figures = {};
  const ask = async (name: string, paths: readonly string[]): Promise<void> => {
    const times = [];
    for (const path of paths) times.push(await millisecondsOf(`${url}${path}`));
    figures[`${name}, ms`] = shown(median(times));
  };
  await ask(
    'post',
    ids.map((id) => `/2/tweets/${id}`),
  );
  const words = ['amber', 'basin cedar', '#delta', 'ember -is:retweet', 'from:u1000000007 has:mentions'];
  const query = (word: string) => `query=${encodeURIComponent(word)}&start_time=${all}`;
  await ask(
    'search',
    words.map((word) => `/2/tweets/search/all?max_results=100&${query(word)}`),
  );
  await ask(
    'counts',
    words.map((word) => `/2/tweets/counts/all?granularity=day&${query(word)}`),
  );
  return figures;
}

async function millisecondsOf(url: string): Promise<number> {
  const startMs = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${BEARER}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return performance.now() - startMs;
}

/** Takes a backup while the server runs. */
function backupSeconds(place: string, url: string): Promise<number> {
  return secondsOf(() => runPipit(place, ['backup', join(place, 'copy'), '--database', url])).then(shown);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1_000;
}

const shown = (value: number): number => Number(value.toPrecision(3));

await main();
