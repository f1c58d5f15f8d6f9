import { buildPipit, type Pipit } from '../server/start.js';
import type { Opening } from './contents/contents.js';
import type { Foundation } from './foundation.js';

/** Builds a server of a sandbox. It does not listen, and its background work is not started. */
export function buildServer(
  { config, contents, clock, realClock, ...options }: Foundation,
  opening: Opening,
): Promise<Pipit> {
  const { mediaFolder } = contents;
  return buildPipit(config, {
    ...options,
    ...opening,
    clock: clock.now,
    // Clients sign with their own time.
    signingClock: realClock,
    mediaFolder,
  });
}
