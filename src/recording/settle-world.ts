import { openBackend, createWriter, worldDeps } from '../server/backend.js';
import { WorldRefused } from '../world/faults.js';
import { loadWorld } from '../world/load-world.js';
import type { WorldDocument } from './world-of.js';

/** Each pass leaves out the entries with faults, which may leave references to them in others. */
const MAX_PASSES = 50;

const FAULT_PATH = /^\$\.(\w+)\[(\d+)\]/;

/**
 * Leaves out the entries of a world document that `pipit load` would refuse, by loading it into a database in memory, and
 * counts them. Throws if no document results that loads.
 */
export async function settleWorld(given: WorldDocument, publicUrl: string) {
  let world = given;
  let leftOut = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const faulty = await faultyEntries(world, publicUrl);
    if (faulty.size === 0) return { world, leftOut };
    world = without(world, faulty);
    leftOut += [...faulty.values()].reduce((sum, places) => sum + places.size, 0);
  }
  throw new Error('the recorded world does not become one that loads');
}

type Faulty = ReadonlyMap<string, ReadonlySet<number>>;

async function faultyEntries(world: WorldDocument, publicUrl: string): Promise<Faulty> {
  const backend = await openBackend('sqlite::memory:');
  try {
    await loadWorld(worldDeps(backend, await createWriter(backend, publicUrl)), world);
    return new Map();
  } catch (error) {
    if (!(error instanceof WorldRefused)) throw error;
    const faulty = new Map<string, Set<number>>();
    for (const { path } of error.faults) {
      const [, section, place] = FAULT_PATH.exec(path) ?? [];
      // A fault of the whole document cannot be left out.
      if (section === undefined) throw error;
      faulty.set(section, (faulty.get(section) ?? new Set()).add(Number(place)));
    }
    return faulty;
  } finally {
    await backend.close();
  }
}

function without(world: WorldDocument, faulty: Faulty): WorldDocument {
  return Object.fromEntries(
    Object.entries(world).map(([section, entries]) => [
      section,
      entries.filter((_, place) => !faulty.get(section)?.has(place)),
    ]),
  );
}
