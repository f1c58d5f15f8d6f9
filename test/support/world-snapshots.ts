import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { LanguageDetector } from '../../src/core/post-text/language.js';
import { createWriter, openBackend, worldDeps, type Snapshot } from '../../src/server/backend.js';
import { loadWorld } from '../../src/world/load-world.js';
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

/** Returns a database in memory with this world, or undefined at its first use: most worlds are used once. */
export async function snapshotOf(world: unknown, options: LoadOptions): Promise<Snapshot | undefined> {
  const time = options.clock === systemClock ? 'now' : options.clock();
  const key = JSON.stringify([world, options.publicUrl, time]);
  if (!seen.has(key)) {
    seen.add(key);
    return undefined;
  }
  return keptSnapshot(key, () => takeSnapshot(world, options));
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
  const folder = await mkdtemp(join(tmpdir(), 'pipit-snapshot-'));
  try {
    if (options) {
      const writer = await createWriter(backend, options.publicUrl, options.language);
      await loadWorld(worldDeps(backend, writer), world);
      requireInSchema(world);
    }
    const file = join(folder, 'image.db');
    await backend.engine.backup(file);
    return { image: await readFile(file), key: backend.key };
  } finally {
    await backend.close();
    await rm(folder, { recursive: true });
  }
}
