import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asId, sql } from '../../src/database/sql.js';
import { openSqlite } from '../../src/database/sqlite/engine.js';
import { NOTES } from '../database/notes.js';
import { builtScript } from '../support/program.js';
import { rounds } from '../support/rounds.js';

const SCRIPT = builtScript('committing-process.ts');
const ROUNDS = rounds(3);

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipit-'));
  file = join(folder, 'pipit.db');
});

afterEach(() => rm(folder, { recursive: true }));

function start(firstId: number): ChildProcess {
  return spawn(process.execPath, [SCRIPT, file, String(firstId)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Kills a committing process after it has acknowledged some ids; returns all acknowledged ids. */
async function acknowledgedBeforeKill(firstId: number, count: number): Promise<bigint[]> {
  const child = start(firstId);
  const exit = once(child, 'exit');
  if (!child.stdout || !child.stderr) throw new Error('the output of the process is not piped');
  let errorOutput = '';
  child.stderr.on('data', (text) => (errorOutput += String(text)));
  const acknowledged: bigint[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(BigInt(line));
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error(`it ended by itself with ${code}: ${errorOutput}`);
  return acknowledged;
}

async function storedIds(): Promise<Set<bigint>> {
  const engine = await openSqlite({ file, durability: 'full', migrations: NOTES });
  const rows = await engine.all(sql`SELECT id FROM notes`);
  const check = await engine.get(sql`PRAGMA integrity_check`);
  await engine.close();
  expect(check).toEqual({ integrity_check: 'ok' });
  return new Set(rows.map((row) => asId(row['id'])));
}

test('after SIGKILL at any moment the database opens and contains every acknowledged commit', async () => {
  const acknowledged: bigint[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ids = await acknowledgedBeforeKill(round * 1_000_000, 40 * round + round * round);
    expect(ids.length).toBeGreaterThan(0);
    acknowledged.push(...ids);
    const stored = await storedIds();
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  }
});

test('when one of two processes is killed the other continues, and no acknowledged commit is lost', async () => {
  const [first, second] = await Promise.all([
    acknowledgedBeforeKill(1_000_000, 60),
    acknowledgedBeforeKill(2_000_000, 300),
  ]);
  const stored = await storedIds();
  expect([...first, ...second].filter((id) => !stored.has(id))).toEqual([]);
  expect(second.length).toBeGreaterThanOrEqual(300);
});
