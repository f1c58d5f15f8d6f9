/**
 * A move there and back: SQLite, PostgreSQL or another database, SQLite, by the built program, with the time of each and the memory of the
 * process. Ends with an error unless both print the same checksums. `npm run bench:move -- --help`.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/database/open-engine.js';
import { sql } from '../src/database/sql.js';
import { createDiskBlobs } from '../src/stores/blobs/disk-blobs.js';
import { createDatabase, startPostgres, type PostgresServer } from '../test/support/postgres.js';
import { memoryOf } from './cpu.js';
import { fillDatabase } from './fill.js';
import { FIRST_USER_ID, postId, USERS } from './world.js';

const USAGE = `Usage: npm run bench:move -- [options]
  --posts N      posts (1000000)
  --likes N      likes (100000)
  --media N      files of media (1000)
  --database URL an empty database to move to, such as one on Citus (a new one of PostgreSQL)
  --dir FOLDER   folder of the SQLite databases (the system's temporary folder)`;

const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SAMPLE_MS = 200;
const FILE_BYTES = 100_000;
const FIRST_MEDIA_ID = 1_000_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      posts: { type: 'string', default: '1000000' },
      likes: { type: 'string', default: '100000' },
      media: { type: 'string', default: '1000' },
      database: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const folder = await mkdtemp(join(values.dir, 'pipit-move-'));
  const postgres = values.database === undefined ? await startPostgres() : undefined;
  try {
    const [from, back] = ['a', 'b'].map((name) => `sqlite:${join(folder, name, 'pipit.db')}`) as [
      string,
      string,
    ];
    await mkdir(join(folder, 'a'));
    await fillDatabase(join(folder, 'a'), from, Number(values.posts));
    await addLikes(from, Number(values.likes), Number(values.posts));
    await addMedia(from, join(folder, 'a', 'media'), Number(values.media));
    const between = values.database ?? (postgres && (await createDatabaseOn(postgres))) ?? '';
    const there = await move(folder, from, between);
    const here = await move(folder, between, back);
    if (there !== here) throw new Error(`the checksums differ: ${there} and ${here}`);
    console.log('both moves print the same rows and checksums');
  } finally {
    await postgres?.remove();
    await rm(folder, { recursive: true });
  }
}

async function createDatabaseOn(server: PostgresServer): Promise<string> {
  return server.url(await createDatabase(server.url('postgres')));
}

/** Adds likes of posts that are spread over the database, each of another post while there are enough. */
async function addLikes(url: string, likes: number, posts: number): Promise<void> {
  const [first, step] = [BigInt(postId(0)), BigInt(postId(1)) - BigInt(postId(0))];
  const edges = sql`
    WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${999 + likes}),
      edges (post_id, user_id, edge_id) AS (
        SELECT ${first} + (n * 7 % ${posts}) * ${step}, ${FIRST_USER_ID} + n % ${USERS}, n FROM numbers)`;
  await onEngine(url, async (tx) => {
    await tx.run(sql`INSERT INTO likes (post_id, user_id, edge_id) ${edges}
      SELECT post_id, user_id, edge_id FROM edges WHERE true ON CONFLICT DO NOTHING`);
    await tx.run(sql`INSERT INTO liked_posts (user_id, post_id, edge_id) ${edges}
      SELECT user_id, post_id, edge_id FROM edges WHERE true ON CONFLICT DO NOTHING`);
  });
}

async function addMedia(url: string, folder: string, files: number): Promise<void> {
  const blobs = createDiskBlobs(folder);
  for (let id = FIRST_MEDIA_ID; id < FIRST_MEDIA_ID + files; id += 1) {
    const name = `${id}/${randomBytes(24).toString('base64url')}.jpg`;
    const draft = await blobs.newDraft();
    await writeFile(draft, randomBytes(FILE_BYTES));
    await blobs.put(name, draft);
    await onEngine(url, async (tx) => {
      await tx.run(sql`INSERT INTO media (id, media_key, type, url, attached_to, created_at)
        VALUES (${id}, ${`3_${id}`}, 'photo', ${`http://127.0.0.1:8080/media/${name}`}, ${postId(0)}, 0)`);
    });
  }
}

type Tx = Parameters<Parameters<Awaited<ReturnType<typeof openEngine>>['tx']>[1]>[0];

async function onEngine(url: string, body: (tx: Tx) => Promise<void>): Promise<void> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    await engine.tx('fill', body);
  } finally {
    await engine.close();
  }
}

/** Moves a database, prints the times of its steps, and returns what it moved. */
async function move(folder: string, from: string, to: string): Promise<string> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'move', from, to, '--json'], { cwd: folder });
  let output = '';
  let notes = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  let peakMb = 0;
  const sampling = setInterval(() => {
    // NaN once the process has ended.
    void memoryOf(child.pid ?? 0).then(({ residentMb: mb }) => (peakMb = mb > peakMb ? mb : peakMb));
  }, SAMPLE_MS);
  const [status] = (await once(child, 'close')) as [number | null];
  clearInterval(sampling);
  if (status !== 0) throw new Error(`the move ended with ${status}: ${notes}`);
  const { tables, media, step_ms: steps } = JSON.parse(output) as Report;
  const seconds = (performance.now() - startMs) / 1_000;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const parts = Object.entries(steps).map(([step, ms]) => `${step} ${(ms / 1_000).toFixed(1)} s`);
  console.log(
    `${from.slice(0, 6)} to ${to.slice(0, 6)}: ${rows} rows, ${tables['posts']?.rows} posts, ${media.files} files in ` +
      `${seconds.toFixed(0)} s (${parts.join(', ')}), ${Math.round(rows / seconds)} rows/s, at most ${peakMb.toFixed(0)} MB resident`,
  );
  return JSON.stringify({ tables, media });
}

interface Report {
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
  readonly media: { readonly files: number };
  /** Milliseconds. */
  readonly step_ms: Readonly<Record<string, number>>;
}

await main();
