import { MAX_ID, type PostId } from '../core/ids.js';
import { timeOfId } from '../core/snowflake.js';
import { worldDeps, type Backend } from '../server/backend.js';
import type { FirstStart } from '../server/first-start.js';
import { fillDatabase } from '../server/start.js';
import { listNewestPosts } from '../stores/posts.js';
import { loadWorld } from '../world/load-world.js';
import { buildServer } from './build-server.js';
import { doDeferredWork, doDueWork } from './due-work.js';
import type { Foundation } from './foundation.js';
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
  const pipit = await buildServer(foundation, {}, config.sandboxSeed);
  const { backend, writer } = pipit;
  try {
    for (const world of worlds) await loadWorld(worldDeps(backend, writer), world);
    const firstStart = await fillDatabase(config, { backend, writer });
    await doDueWork(pipit);
    await doDeferredWork(pipit);
    const earliestMs = await earliestStartOf(backend);
    const start = isSeeded ? seededStart(earliestMs) : clock.state();
    return { base: { copy: await contents.copy(backend), clock: start, earliestMs }, firstStart };
  } finally {
    await pipit.close();
  }
}

const AFTER_NEWEST_MS = 1_000;

/** Returns a time after the newest post; 0 if there is none. */
async function earliestStartOf({ engine }: Pick<Backend, 'engine'>): Promise<number> {
  const [newest] = await listNewestPosts(engine, { above: -1n as PostId, upTo: MAX_ID as PostId }, 1);
  const newestMs = newest && timeOfId(newest.id);
  return newestMs === undefined ? 0 : newestMs + AFTER_NEWEST_MS;
}
