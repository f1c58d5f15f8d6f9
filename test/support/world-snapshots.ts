import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { LanguageDetector } from '../../src/core/post-text/language.js';
import { createWriter, openBackend, worldDeps, type Snapshot } from '../../src/server/backend.js';
import { KEY_FILE } from '../../src/services/secrets/key-file.js';
import { loadWorld } from '../../src/world/load-world.js';
import { imageOf, type TestDatabaseUrl } from './test-database.js';
import { requireInSchema } from './world-schema.js';

/** How a world is loaded. */
export interface LoadOptions {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly language: LanguageDetector;
}

/** Databases in memory by the world that they hold: most tests start from the same few worlds. */
const snapshots = new Map<string, Promise<Snapshot>>();
const seen = new Set<string>();

/** The rows of a world in a database on a server, and the key of its secrets. */
interface StoredRows {
  readonly rows: string;
  readonly key: Buffer;
}

const storedRows = new Map<string, StoredRows>();

/** Returns a database in memory with this world, or undefined at its first use: most worlds are used once. */
export async function snapshotOf(world: unknown, options: LoadOptions): Promise<Snapshot | undefined> {
  const key = keyOf(world, options);
  return isFirstUse(key) ? undefined : keptSnapshot(key, () => takeSnapshot(world, options));
}

/** Fills a new database on a server with a world that was loaded before. Returns false if it must be loaded. */
export async function fillDatabase(
  database: TestDatabaseUrl,
  world: unknown,
  options: LoadOptions,
): Promise<boolean> {
  const stored = storedRows.get(keyOf(world, options));
  if (!stored || !database.contents || database.dataFolder === undefined) return false;
  await database.contents.fill(stored.rows);
  await writeFile(join(database.dataFolder, KEY_FILE), stored.key, { mode: 0o600 });
  return true;
}

/** Keeps the rows of a world that was just loaded into a new database on a server, from its second use on. */
export async function keepRows(
  database: TestDatabaseUrl,
  key: Buffer,
  world: unknown,
  options: LoadOptions,
): Promise<void> {
  const name = keyOf(world, options);
  if (isFirstUse(name)) return;
  const rows = await database.contents?.read();
  if (rows !== undefined) storedRows.set(name, { rows, key });
}

function keyOf(world: unknown, { clock, publicUrl }: LoadOptions): string {
  return JSON.stringify([world, publicUrl, clock === systemClock ? 'now' : clock()]);
}

function isFirstUse(key: string): boolean {
  const isFirst = !seen.has(key);
  seen.add(key);
  return isFirst;
}

/** Returns a database in memory with nothing but the schema. */
export function emptySnapshot(): Promise<Snapshot> {
  return keptSnapshot('', () => takeSnapshot(null));
}

function keptSnapshot(key: string, take: () => Promise<Snapshot>): Promise<Snapshot> {
  const taken = snapshots.get(key) ?? take();
  snapshots.set(key, taken);
  taken.catch(() => snapshots.delete(key));
  return taken;
}

async function takeSnapshot(world: unknown, options?: LoadOptions): Promise<Snapshot> {
  const snapshot = options && (await emptySnapshot());
  const backend = await openBackend('sqlite::memory:', { clock: options?.clock, snapshot });
  try {
    if (options) {
      const writer = await createWriter(backend, options.publicUrl, options.language);
      await loadWorld(worldDeps(backend, writer), world);
      requireInSchema(world);
    }
    return { image: await imageOf(backend.engine), key: backend.key };
  } finally {
    await backend.close();
  }
}
