import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { LanguageDetector } from '../../src/core/post-text/language.js';
import { createWriter, openBackend, worldDeps, type Backend } from '../../src/server/backend.js';
import { loadWorld } from '../../src/world/load-world.js';
import { describeDatabase, type DatabaseContents } from './database-contents.js';
import { createTestDatabase, isOnPostgres } from './test-database.js';
import { requireInSchema } from './world-schema.js';

/** How a world is loaded. */
export interface LoadOptions {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly language: LanguageDetector;
}

/** A database with a loaded world, and the key of its secrets. */
export interface WorldSnapshot {
  readonly key: Buffer;
  /** The file of an SQLite database. */
  readonly image?: Buffer;
  /** The rows of a PostgreSQL database. */
  readonly contents?: DatabaseContents;
}

/** Snapshots by world, since most tests start from the same few worlds. */
const snapshots = new Map<string, Promise<WorldSnapshot>>();

/** Returns a database with this world, or with nothing but the schema for null. */
export function snapshotOf(world: unknown, options: LoadOptions): Promise<WorldSnapshot> {
  const time = options.clock === systemClock ? 'now' : options.clock();
  const key = JSON.stringify([world, options.publicUrl, time]);
  const known = snapshots.get(key);
  if (known) return known;
  const taken = takeSnapshot(world, options);
  snapshots.set(key, taken);
  taken.catch(() => snapshots.delete(key));
  return taken;
}

async function takeSnapshot(world: unknown, options: LoadOptions): Promise<WorldSnapshot> {
  const { clock, publicUrl, language } = options;
  const schema =
    world === null || isOnPostgres() ? undefined : await snapshotOf(null, { ...options, clock: systemClock });
  const database = await createTestDatabase();
  const backend = await openBackend(database.url, {
    clock,
    snapshot: schema,
    dataFolder: database.dataFolder,
  });
  try {
    if (world !== null) {
      await loadWorld(worldDeps(backend, await createWriter(backend, publicUrl, language)), world);
      requireInSchema(world);
    }
    return { key: backend.key, ...(await copyOf(backend, database.url)) };
  } finally {
    await backend.close();
    await database.remove();
  }
}

async function copyOf({ engine }: Backend, url: string): Promise<Omit<WorldSnapshot, 'key'>> {
  if (isOnPostgres()) return { contents: await describeDatabase(url) };
  const folder = await mkdtemp(join(tmpdir(), 'pipit-snapshot-'));
  try {
    const file = join(folder, 'image.db');
    await engine.backup(file);
    return { image: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
