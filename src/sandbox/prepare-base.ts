import { worldDeps } from '../server/backend.js';
import { drawPasswordEarly, type FirstStart } from '../server/first-start.js';
import { fillDatabase } from '../server/fill-database.js';
import { loadWorld } from '../world/load-world.js';
import { buildServer, type Foundation } from './build-server.js';
import { finishLoading } from './due-work.js';
import { seededStart, type State } from './states.js';

/**
 * Loads the configured world files, and the first credentials into an empty database, and returns the state to which a
 * sandbox is reset. With a seed, the clock is frozen meanwhile.
 */
export async function prepareBase(
  foundation: Foundation,
): Promise<{ readonly base: State; readonly firstStart: FirstStart | undefined }> {
  const { config, clock, contents, worlds = [] } = foundation;
  const isSeeded = config.sandboxSeed !== undefined;
  if (isSeeded) clock.restore(seededStart(0));
  const password = worlds.length === 0 ? drawPasswordEarly(config) : undefined;
  const pipit = await buildServer(foundation, {}, config.sandboxSeed);
  const { backend, writer, media } = pipit;
  try {
    for (const world of worlds) await loadWorld(worldDeps(backend, writer, media.blobs), world);
    const firstStart = await fillDatabase(config, pipit, password);
    const earliestMs = await finishLoading(pipit);
    const start = isSeeded ? seededStart(earliestMs) : clock.state();
    if (contents.isOffline) await pipit.close();
    return { base: { copy: await contents.copy(backend), clock: start, earliestMs }, firstStart };
  } finally {
    await pipit.close();
  }
}
