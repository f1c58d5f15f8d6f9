/**
 * The cost of the SQLite engine compared with the bare driver, on this machine, in one run: durable commits per
 * second, and the time of one lookup by key.
 *
 *     npx tsx bench/engine.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Engine } from '../src/database/engine.js';
import type { Migration } from '../src/database/migrations/migration.js';
import { sql } from '../src/database/sql.js';
import { openSqlite, type SqliteOptions } from '../src/database/sqlite/engine.js';

const WRITERS = 32;
const COMMITS = 20_000;
const LOOKUPS = 200_000;
const ROUNDS = 3;
const TEXT = 'A post of a usual length, which says something about the weather. '.repeat(2);

const notes: Migration = {
  version: 1,
  name: 'notes',
  statements: (ddl) => [`CREATE TABLE notes (id ${ddl.idKey}, text TEXT NOT NULL)`],
};

interface Measurement {
  readonly name: string;
  readonly unit: string;
  /** Runs once in an empty folder and returns the result. */
  run(folder: string): Promise<number>;
}

async function onEngine(
  folder: string,
  options: Partial<SqliteOptions>,
  work: (engine: Engine) => Promise<number>,
): Promise<number> {
  const file = join(folder, 'engine.db');
  const engine = await openSqlite({ file, durability: 'full', migrations: [notes], ...options });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function secondsOf(work: () => Promise<void> | void): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1_000;
}

async function commitsPerSecond(engine: Engine): Promise<number> {
  let nextId = 0;
  const write = async (): Promise<void> => {
    while (nextId < COMMITS) {
      nextId += 1;
      const id = BigInt(nextId);
      await engine.tx('note', (tx) => tx.run(sql`INSERT INTO notes (id, text) VALUES (${id}, ${TEXT})`));
    }
  };
  const seconds = await secondsOf(async () => {
    await Promise.all(Array.from({ length: WRITERS }, write));
  });
  return COMMITS / seconds;
}

async function lookupMicros(engine: Engine): Promise<number> {
  await engine.tx('notes', async (tx) => {
    for (let id = 0; id < COMMITS; id += 1) {
      await tx.run(sql`INSERT INTO notes (id, text) VALUES (${BigInt(id)}, ${TEXT})`);
    }
  });
  const seconds = await secondsOf(async () => {
    for (let n = 0; n < LOOKUPS; n += 1) {
      const id = BigInt((n * 7919) % COMMITS);
      await engine.get(sql`SELECT id, text FROM notes WHERE id = ${id}`);
    }
  });
  return (seconds * 1e6) / LOOKUPS;
}

function openBare(folder: string): Database.Database {
  const db = new Database(join(folder, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  db.defaultSafeIntegers(true);
  return db;
}

async function bareCommitsPerSecond(folder: string): Promise<number> {
  const db = openBare(folder);
  const insert = db.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
  const seconds = await secondsOf(() => {
    for (let id = 0; id < COMMITS; id += 1) insert.run(BigInt(id), TEXT);
  });
  db.close();
  return COMMITS / seconds;
}

async function bareLookupMicros(folder: string): Promise<number> {
  const db = openBare(folder);
  const insert = db.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
  db.transaction(() => {
    for (let id = 0; id < COMMITS; id += 1) insert.run(BigInt(id), TEXT);
  })();
  const find = db.prepare('SELECT id, text FROM notes WHERE id = ?');
  const seconds = await secondsOf(() => {
    for (let n = 0; n < LOOKUPS; n += 1) find.get(BigInt((n * 7919) % COMMITS));
  });
  db.close();
  return (seconds * 1e6) / LOOKUPS;
}

const detectsNesting = false;
const MEASURES: readonly Measurement[] = [
  { name: 'bare driver, synchronous=FULL, a commit per row', unit: '/s', run: bareCommitsPerSecond },
  {
    name: `engine, durable, ${WRITERS} writers`,
    unit: '/s',
    run: (folder) => onEngine(folder, { detectsNesting }, commitsPerSecond),
  },
  {
    name: `engine, durable, ${WRITERS} writers, detecting nesting`,
    unit: '/s',
    run: (folder) => onEngine(folder, {}, commitsPerSecond),
  },
  {
    name: `engine, relaxed, ${WRITERS} writers`,
    unit: '/s',
    run: (folder) => onEngine(folder, { detectsNesting, durability: 'relaxed' }, commitsPerSecond),
  },
  { name: 'bare driver, lookup by key', unit: 'µs', run: bareLookupMicros },
  {
    name: 'engine, lookup by key',
    unit: 'µs',
    run: (folder) => onEngine(folder, { detectsNesting }, lookupMicros),
  },
  {
    name: 'engine, lookup by key, detecting nesting',
    unit: 'µs',
    run: (folder) => onEngine(folder, {}, lookupMicros),
  },
];

async function medianOf(measure: Measurement): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'pipit-bench-'));
    figures.push(await measure.run(folder));
    await rm(folder, { recursive: true });
  }
  return figures.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN;
}

for (const measure of MEASURES) {
  const figure = await medianOf(measure);
  const shown = measure.unit === '/s' ? Math.round(figure).toLocaleString('en') : figure.toFixed(2);
  console.log(`${measure.name.padEnd(56)} ${shown.padStart(10)} ${measure.unit}`);
}
