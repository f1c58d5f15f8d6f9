import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openReadingThread, type ReadingThread } from '../../src/archive/reading-thread.js';
import { streamSource } from '../../src/archive/source.js';
import { EVERY_KEY } from '../../src/core/page.js';
import { openEngine } from '../../src/database/open-engine.js';
import { rawSql, sql } from '../../src/database/sql.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { A, B, NOON, ONE, page, post, user } from './import-fixture.js';
import { fillingPage, syntheticPage } from './synthetic.js';

/** Runs the import in a process of the program, which reads in a thread. */
async function importInProcess(
  folder: string,
  args: readonly string[],
  send: (stdin: NodeJS.WritableStream) => void = (stdin) => stdin.end(),
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [...PROGRAM, 'import', 'twarc', ...args], { cwd: folder });
  const exit = once(child, 'close');
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // The process may end before it has read everything.
  child.stdin.on('error', () => undefined);
  send(child.stdin);
  const [status] = (await exit) as [number];
  return { status, stdout, stderr };
}

/** Returns everything that an import writes, and what search finds. */
async function contentsOf(file: string): Promise<unknown> {
  const engine = await openEngine(`sqlite:${file}`, { durability: 'relaxed' });
  try {
    const tables = [
      'posts',
      'post_counts',
      'users',
      'user_counts',
      'user_posts',
      'mentions',
      'media',
      'polls',
    ];
    const found: unknown[] = [];
    for (const table of [...tables, 'places', 'reposts', 'quotes', 'imported_objects', 'import_marks']) {
      const rows = await engine.all(sql`SELECT * FROM ${rawSql(table)} ORDER BY 1, 2`);
      found.push([table, ...rows]);
    }
    for (const facet of ['lang:en', 'has:media', 'is:repost', 'is:verified', 'has:geo', 'tag:cedar']) {
      const leaf = { kind: 'facets', anyOf: [facet] } as const;
      found.push([facet, await engine.search.page(engine, { kind: 'only', leaf }, EVERY_KEY, 100_000)]);
    }
    return found;
  } finally {
    await engine.close();
  }
}

const MEDIA = { media_key: '3_1500000000000000003', type: 'photo', url: 'https://media.example/1' };
const PLACE = { id: '01', full_name: 'Harbor, Island', country_code: 'IS' };
const EDITED = post(B, { edit_history_tweet_ids: [A, B], text: 'hello again' });
const ODD = [
  page([post(A, { text: 'old', public_metrics: { like_count: 1 } })], [user('7', 'seven')], NOON),
  page([post(A, { text: 'new', public_metrics: { like_count: 2 } })], [user('7', 'zeven')], ONE),
  { data: [EDITED], includes: { users: [user('7', 'seven', { verified: true })] } },
  {
    data: [
      post('1500000000000000009', {
        attachments: { media_keys: [MEDIA.media_key] },
        geo: { place_id: '01' },
      }),
    ],
    includes: {
      media: [MEDIA],
      places: [PLACE],
      polls: [{ id: '5', options: [{ position: 1, label: 'a' }] }],
    },
  },
  { data: [{ id: '12', text: 'nobody wrote this' }] },
  { data: { subscription: 1 }, errors: [{ title: 'x' }] },
  ['no object'],
];
/** Lines of two batches. */
const LINES = [
  syntheticPage(0, 40),
  fillingPage(40, 40),
  syntheticPage(80, 40),
  ...ODD.map((line) => JSON.stringify(line)),
  '',
  'nonsense',
  `{"data":${JSON.stringify(post('1500000000000000010', { text: 'x'.repeat(5_000_000) }))}}`,
  '{"cut": "of',
].join('\n');
const PACKED = gzipSync(LINES);

test.each([
  ['a file', LINES],
  ['a gzip file', PACKED],
  ['a damaged gzip file', PACKED.subarray(0, PACKED.length - 500)],
  ['a file with nothing in its lines', '{}\n'],
])(
  '%s imported with a reading thread gives the same as without one',
  async (_what, content) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('x.jsonl'), content);
    const args = (database: string) => ['x.jsonl', '--json', '--database', `sqlite:${folder.file(database)}`];
    const threaded = await importInProcess(folder.path, args('threaded.db'));
    const plain = await runCli(['import', 'twarc', ...args('plain.db')], { folder: folder.path });
    expect(threaded.status).toBe(0);
    expect(JSON.parse(threaded.stdout)).toEqual(JSON.parse(plain.stdout));
    expect(await contentsOf(folder.file('threaded.db'))).toEqual(await contentsOf(folder.file('plain.db')));
  },
  120_000,
);

test('standard input is read in the thread, a dry run writes nothing, nor does a second import', async () => {
  await using folder = await temporaryFolder();
  const options = ['--json', '--database', `sqlite:${folder.file('pipit.db')}`];
  const args = ['-', ...options];
  const send = (stdin: NodeJS.WritableStream) => void stdin.end(PACKED);
  const dry = await importInProcess(folder.path, [...args, '--dry-run'], send);
  const real = await importInProcess(folder.path, args, send);
  const { posts, lines, refused } = JSON.parse(dry.stdout) as Record<string, object>;
  expect(JSON.parse(real.stdout)).toMatchObject({ posts, lines, refused });
  expect(posts).toMatchObject({ new: 124 });
  await writeFile(folder.file('x.jsonl'), LINES);
  const again = await importInProcess(folder.path, ['x.jsonl', ...options]);
  expect(JSON.parse(again.stdout)).toMatchObject({ resumed: 0, posts: { new: 0, updated: 0 } });
}, 120_000);

test('a failed import ends, even if standard input has more', async () => {
  await using folder = await temporaryFolder();
  const database = `sqlite:${folder.file('pipit.db')}`;
  await createDatabase(folder.file('pipit.db'));
  const broken = await openEngine(database, { durability: 'relaxed' });
  await broken.tx('break', (tx) =>
    tx.run(sql`CREATE TRIGGER broken BEFORE INSERT ON posts BEGIN SELECT RAISE(ABORT, 'broken off'); END`),
  );
  await broken.close();
  const outcome = await importInProcess(folder.path, ['-', '--database', database], (stdin) => {
    stdin.write(`${LINES}\n`);
  });
  expect(outcome.status).not.toBe(0);
  expect(outcome.stderr).toContain('broken off');
}, 60_000);

const BEGINNING = { lines: 0, bytes: 0 };

/** Opens the thread with the script of the test run’s build, which can be loaded. */
function openBuiltThread(): ReadingThread {
  return openReadingThread(pathToFileURL(join(dirname(PROGRAM.at(-1) ?? ''), 'reading-worker.js')));
}

/** Pages of a batch each. */
async function* endlessPages(): AsyncGenerator<Uint8Array, void> {
  const page = Buffer.from(`${fillingPage(0, 1)}\n`);
  for (;;) yield page;
}

test('a terminated thread ends reading with an error', async () => {
  const thread = openBuiltThread();
  const read = thread.readBatches(streamSource('pages', endlessPages()), BEGINNING)[Symbol.asyncIterator]();
  expect((await read.next()).value).toMatchObject({ isLast: false, lines: 1 });
  await thread.close();
  const rest = async (): Promise<void> => {
    while (!(await read.next()).done);
  };
  await expect(rest()).rejects.toThrow('the reading thread ended');
});

test('an error of a source ends reading with the same message', async () => {
  const thread = openBuiltThread();
  const failing = async function* () {
    yield Buffer.from('{}\n');
    throw new Error('the wire is cut');
  };
  const read = thread.readBatches(streamSource('pages', failing()), BEGINNING)[Symbol.asyncIterator]();
  await expect(read.next()).rejects.toThrow('the wire is cut');
  const next = thread.readBatches(streamSource('page', Readable.from([Buffer.from('{}')])), BEGINNING);
  for await (const batch of next) expect(batch).toMatchObject({ isLast: true, lines: 1 });
  await thread.close();
});

test('sources that cannot be opened in a thread are read in the calling thread', async () => {
  const thread = openReadingThread();
  const source = streamSource('page', Readable.from([Buffer.from(syntheticPage(0, 3))]));
  for await (const batch of thread.readBatches(source, BEGINNING)) {
    expect(batch.objects.posts).toHaveLength(3);
  }
  await thread.close();
});
