import { refuseViolations, violation } from '../core/errors.js';
import { worldDeps } from '../server/backend.js';
import type { Pipit } from '../server/start.js';
import { WorldRefused } from '../world/faults.js';
import { loadWorld } from '../world/load-world.js';
import type { Added } from '../world/pass.js';

/** Loads a world document as `loadWorld` does. Throws a 400 with every fault. */
export async function loadDocument({ backend, writer, media }: Pipit, document: unknown): Promise<Added> {
  try {
    return await loadWorld(worldDeps(backend, writer, media.blobs), document);
  } catch (error) {
    if (!(error instanceof WorldRefused)) throw error;
    refuseViolations(error.faults.map(({ path, reason }) => violation(path, [], `${path}: ${reason}`)));
    throw error;
  }
}
