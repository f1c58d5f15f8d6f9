import type { UserId } from '../../core/ids.js';
import {
  findHomeTimeline,
  listWholeHome,
  markHomeRead,
  type HomeTimeline,
} from '../../stores/home-timelines.js';
import { listLargeFollows } from '../../stores/large-authors.js';
import { userPosts, completeHomeEntries } from '../../stores/timeline-entries.js';
import { buildHomeTimeline, type BuildHomeDeps } from './build-home.js';
import { mergedTimeline, storedTimeline, type TimelineSource } from './walk-timeline.js';

/** The time of the last read is updated about once a day, which suffices for housekeeping. */
export const READ_NOTED_MS = 86_400_000;

/**
 * Returns a user's home timeline: fanned-out and pending posts, the user's own posts, and posts of large authors
 * (docs/design/timelines.md#reading). Builds the timeline when needed.
 *
 * Most users follow no large author; for them one statement reads the page and confirms that.
 */
export function homeTimeline(deps: BuildHomeDeps, userId: UserId): TimelineSource {
  const { engine, clock } = deps;
  const list: TimelineSource['list'] = async (range, order, limit) => {
    const isPlain = order === 'newest' && range.fromMs === undefined && range.toMs === undefined;
    const complete = isPlain
      ? await listWholeHome(engine, userId, range, limit, clock() - READ_NOTED_MS)
      : undefined;
    return complete ?? (await allParts(deps, userId)).list(range, order, limit);
  };
  return { list, nthNewest: async (depth) => (await allParts(deps, userId)).nthNewest(depth) };
}

async function allParts(deps: BuildHomeDeps, userId: UserId): Promise<TimelineSource> {
  const { engine } = deps;
  const timeline = await warmTimeline(deps, userId);
  const large = timeline?.hasLargeFollows === false ? [] : await listLargeFollows(engine, userId);
  return mergedTimeline([
    storedTimeline(engine, completeHomeEntries, userId),
    ...large.map((authorId) => storedTimeline(engine, userPosts, authorId)),
  ]);
}

async function warmTimeline(deps: BuildHomeDeps, userId: UserId): Promise<HomeTimeline | undefined> {
  const { engine, clock } = deps;
  const timeline = await findHomeTimeline(engine, userId);
  if (!timeline?.isBuilt) {
    await buildHomeTimeline(deps, userId);
    return undefined;
  }
  if (clock() - timeline.readAtMs > READ_NOTED_MS) {
    await engine.tx('note home read', (tx) => markHomeRead(tx, userId, clock()));
  }
  return timeline;
}
