import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import type { FeedEntry } from '../../src/database/feed.js';
import { openEngine } from '../../src/database/open-engine.js';
import { sql } from '../../src/database/sql.js';
import { builtScript } from '../support/program.js';
import { createSharedDatabase } from '../support/test-database.js';

/** What of the feed survives `kill -9` (docs/design/feed.md). */

vi.setConfig({ testTimeout: 60_000 });

const SCRIPT = builtScript('emitting-process.ts');
const ENOUGH = 60;

/** Starts a process and collects the lines that it prints. */
function start(url: string, work: 'write' | 'read', first: bigint) {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT, url, work, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('the output of the process is not piped');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const prints = (count: number) =>
    vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 });
  return { lines, kill, prints };
}

async function open(): Promise<{ url: string; engine: Engine; start: bigint }> {
  const database = await createSharedDatabase();
  const engine = await openEngine(database.url, { durability: 'relaxed' });
  onTestFinished(async () => {
    await engine.close();
    await database.remove();
  });
  return { url: database.url, engine, start: await engine.feed.position() };
}

function numbersOf(entries: readonly FeedEntry[]): bigint[] {
  return entries.flatMap(({ events }) =>
    events.map((event) => (event.kind === 'post-made' ? event.postId : -1n)),
  );
}

async function readAll(engine: Engine, after: bigint): Promise<FeedEntry[]> {
  const page = await engine.feed.read(after);
  return page.isFull ? [...page.entries, ...(await readAll(engine, page.position))] : [...page.entries];
}

test('the feed holds every acknowledged commit of killed processes once, in the order that others received', async () => {
  const { url, engine, start: after } = await open();
  const received: FeedEntry[] = [];
  const stop = new AbortController();
  const ended = engine.feed.subscribe({ after, signal: stop.signal }, (page) => void received.push(...page));
  const writers = [1_000n, 2_000_000n].map((first) => start(url, 'write', first));
  await Promise.all(writers.map(({ prints }) => prints(ENOUGH)));
  await Promise.all(writers.map(({ kill }) => kill()));
  const acknowledged = writers.flatMap(({ lines }) => lines.map(BigInt));
  const all = await readAll(engine, after);
  const numbers = numbersOf(all);
  expect(acknowledged.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
  // A commit that was running on a server may have followed.
  await vi.waitFor(async () => expect(received).toEqual(await readAll(engine, after)));
  expect(received.slice(0, all.length)).toEqual(all);
  stop.abort();
  await ended;
});

test('a killed reader reads on after the last position that it kept, and misses nothing', async () => {
  const { url, engine, start: after } = await open();
  let number = 0n;
  const commit = (): Promise<void> =>
    engine.tx('emit', async (tx) => {
      number += 1n;
      await tx.run(sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${number}, ${1})`);
      tx.emit({ kind: 'post-made', postId: number as PostId, authorId: 1n as UserId });
    });
  const kept: string[] = [];
  let position = after;
  for (let round = 1; round <= 3; round += 1) {
    const reader = start(url, 'read', position);
    for (let count = 0; count < 10; count += 1) await commit();
    const reads = async (): Promise<void> => {
      await commit();
      expect(reader.lines.length).toBeGreaterThanOrEqual(20);
    };
    await vi.waitFor(reads, { timeout: 20_000 });
    await reader.kill();
    await commit();
    // It handled only a part of what it received.
    const handled = reader.lines.slice(0, 7 + round);
    kept.push(...handled);
    position = BigInt(handled.at(-1)?.split(' ')[0] ?? position);
  }
  const all = await readAll(engine, after);
  const lines = all.map((entry) => `${entry.position} ${numbersOf([entry]).join(' ')}`);
  expect(kept).toEqual(lines.slice(0, kept.length));
});
