import { MAX_ID, type PostId } from '../core/ids.js';
import { timeOfId } from '../core/snowflake.js';
import type { Backend } from '../server/backend.js';
import type { Pipit } from '../server/start.js';
import { listNewestPosts } from '../stores/posts.js';
import { doDeferredWork, doDueWork } from './due-work.js';

/** Does the work that loading worlds has caused. Returns the earliest time for the clock of a reset. */
export async function finishLoading(pipit: Pipit): Promise<number> {
  await doDueWork(pipit);
  await doDeferredWork(pipit);
  return earliestStartOf(pipit.backend);
}

const AFTER_NEWEST_MS = 1_000;

/** Returns a time after the newest post; 0 if there is none. */
async function earliestStartOf({ engine }: Pick<Backend, 'engine'>): Promise<number> {
  const [newest] = await listNewestPosts(engine, { above: -1n as PostId, upTo: MAX_ID as PostId }, 1);
  const newestMs = newest && timeOfId(newest.id);
  return newestMs === undefined ? 0 : newestMs + AFTER_NEWEST_MS;
}
