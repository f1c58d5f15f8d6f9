import { hash } from 'node:crypto';
import { seededRandom } from '../core/seeded-random.js';
import { buildPipit, type Pipit } from '../server/start.js';
import type { Opening } from './contents/contents.js';
import type { Foundation } from './foundation.js';

/** Builds a server of a sandbox. It does not listen, and its background work is not started. */
export function buildServer(
  { config, contents, clock, realClock, ...options }: Foundation,
  opening: Opening,
  seed: number | undefined,
): Promise<Pipit> {
  const { mediaFolder } = contents;
  return buildPipit(config, {
    ...options,
    ...opening,
    clock: clock.now,
    // Clients sign with their own time.
    signingClock: realClock,
    mediaFolder,
    ...(seed === undefined ? {} : { random: seededRandom(seed), firstKey: keyOfSeed(seed) }),
  });
}

/** Returns the key of a seeded database: tokens of pages depend on it. */
function keyOfSeed(seed: number): Buffer {
  return hash('sha256', `pipit sandbox ${seed}`, 'buffer');
}
