import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { fileSource, streamSource } from '../../src/archive/source.js';
import type { Engine } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { sql } from '../../src/database/sql.js';
import { builtScript } from '../support/program.js';
import { A, createImportFixture, post, type ImportFixture } from './import-fixture.js';
import { fillingPage, syntheticPage, syntheticPostId } from './synthetic.js';

/** Returns pages of 100 posts each; those with the numbers in `filling` end a batch. */
function pages(count: number, filling: readonly number[]): string {
  const lines = Array.from({ length: count }, (_unused, n) =>
    filling.includes(n) ? fillingPage(n * 100, 100) : syntheticPage(n * 100, 100),
  );
  return lines.join('\n');
}

const TWO_BATCHES = pages(10, [2]);

let fixture: ImportFixture;
let folder: string;

beforeEach(async () => {
  fixture = await createImportFixture();
  folder = await mkdtemp(join(tmpdir(), 'pipit-import-'));
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('dry runs and resuming', () => {
  it('reports in a dry run what would happen, and writes nothing', async () => {
    const refusedFile = join(folder, 'refused.jsonl');
    const result = await fixture.importLines([post(A), 'not json'], { dryRun: true, refusedFile });
    expect(result).toMatchObject({ refused: 1, tallies: { posts: { new: 1 } } });
    expect(await fixture.find(A)).toBeUndefined();
    await expect(readFile(refusedFile)).rejects.toThrow('ENOENT');
  });

  it.each([['plain'], ['gzip']])(
    'resumes a %s file after its last batch when an import failed',
    async (form) => {
      const file = join(folder, 'pages.jsonl');
      await writeFile(file, form === 'gzip' ? gzipSync(TWO_BATCHES) : TWO_BATCHES);
      const broken = importTwarc({ ...fixture.parts, indexPosts: failAfter(1) }, [await fileSource(file)]);
      await expect(broken).rejects.toThrow('broken off');
      const result = await importTwarc(fixture.parts, [await fileSource(file)]);
      expect(result.resumed).toBe(1);
      expect(result.lines).toBe(7);
      expect(result.tallies.posts).toMatchObject({ updated: 0, unchanged: 0 });
      expect(await fixture.rows('user_posts')).toHaveLength(1_000);
      expect(await fixture.find(syntheticPostId(999))).toBeDefined();
      const again = await importTwarc(fixture.parts, [await fileSource(file)]);
      expect(again).toMatchObject({
        resumed: 0,
        lines: 10,
        tallies: { posts: { new: 0, unchanged: 1_000 } },
      });
    },
  );

  it('resumes a file after its last batch when an import was stopped', async () => {
    const file = join(folder, 'pages.jsonl');
    await writeFile(file, TWO_BATCHES);
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const sources = [await fileSource(file), await fileSource(file)];
    const first = await importTwarc(fixture.parts, sources, { stopped, onProgress: () => stop() });
    expect(first.files).toBe(0);
    expect(first.lines).toBe(3);
    const second = await importTwarc(fixture.parts, [await fileSource(file)]);
    expect(second).toMatchObject({ files: 1, resumed: 1, lines: 7 });
    expect(first.tallies.posts.new + second.tallies.posts.new).toBe(1_000);
  });

  it('stops while waiting for input', async () => {
    const silent = new Readable({ read: () => undefined });
    const sources = [streamSource('standard input', silent)];
    const result = await importTwarc(fixture.parts, sources, { stopped: Promise.resolve() });
    expect(result).toMatchObject({ files: 0, lines: 0 });
  });

  it('starts at the beginning with restart', async () => {
    const file = join(folder, 'pages.jsonl');
    await writeFile(file, TWO_BATCHES);
    const source = await fileSource(file);
    const broken = importTwarc({ ...fixture.parts, indexPosts: failAfter(1) }, [source]);
    await expect(broken).rejects.toThrow('broken off');
    expect(await importTwarc(fixture.parts, [source], { restart: true })).toMatchObject({
      resumed: 0,
      lines: 10,
    });
  });

  it('completes an import whose process was killed, without duplicates', async () => {
    const file = join(folder, 'pages.jsonl');
    const database = join(folder, 'pipit.db');
    await writeFile(file, pages(20, [5, 10, 15]));
    const lines = await importUntilKilled(database, file);
    expect(lines).toBe(11);
    await using engine = await openDisposable(database);
    const result = await importTwarc({ ...fixture.parts, engine }, [await fileSource(file)]);
    expect(result).toMatchObject({ resumed: 1, tallies: { posts: { updated: 0, unchanged: 0 } } });
    expect(result.lines).toBeLessThanOrEqual(20 - lines);
    // Of 2,000 posts 534 are reposts, which mention nobody; 400 reply to a second user.
    const mentions = 2_000 - 534 + 400;
    const [counts] = await engine.all(sql`
      SELECT (SELECT COUNT(*) FROM posts) AS posts, (SELECT COUNT(*) FROM user_posts) AS listed,
        (SELECT COUNT(*) FROM mentions) AS mentions, (SELECT COUNT(*) FROM import_marks) AS marks`);
    expect(Object.values(counts ?? {}).map(Number)).toEqual([2_000, 2_000, mentions, 0]);
  }, 60_000);
});

/** Kills the process with SIGKILL after its second batch; returns the number of lines that it reported. */
async function importUntilKilled(database: string, file: string): Promise<number> {
  const script = builtScript('import-child.ts');
  const child = spawn(process.execPath, [script, database, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += String(chunk);
    if (output.split('\n').length > 2) child.kill('SIGKILL');
  }
  await exit;
  return Number(output.trimEnd().split('\n').at(-1));
}

async function openDisposable(database: string): Promise<Engine & AsyncDisposable> {
  const engine = await openEngine(`sqlite:${database}`, { durability: 'relaxed' });
  return { ...engine, [Symbol.asyncDispose]: () => engine.close() };
}

/** Returns an index that fails after the given number of batches. */
function failAfter(batches: number): () => Promise<void> {
  let left = batches;
  return () => (left-- > 0 ? Promise.resolve() : Promise.reject(new Error('broken off')));
}
