import type { UserId } from '../../core/ids.js';
import {
  findHomeTimeline,
  listWholeHome,
  markHomeRead,
  type HomeTimeline,
} from '../../stores/home-timelines.js';
import { listLargeFollows } from '../../stores/large-authors.js';
import { userPosts, wholeHomeEntries } from '../../stores/timeline-entries.js';
import { buildHomeTimeline, type BuildHomeDeps } from './build-home.js';
import { mergedTimeline, storedTimeline, type TimelineSource } from './walk-timeline.js';

/** When a timeline was read last is noted about once a day: often enough to tell which ones to keep. */
export const READ_NOTED_MS = 86_400_000;

/** All that a home timeline's ids depend on. */
export const HOME_TABLES = [
  'home_timelines',
  'home_entries',
  'user_posts',
  'large_follows',
  'pending_fan_outs',
  'follows',
];

/**
 * What a user sees at home: posts that were written out to the user or are still to be, the user's own, and those of
 * large authors (ARCHITECTURE.md). Builds the timeline when it is cold.
 *
 * Mostly nobody follows large authors, and one statement tells both that and what there is.
 */
export function homeTimeline(deps: BuildHomeDeps, userId: UserId): TimelineSource {
  const { engine, clock } = deps;
  const list: TimelineSource['list'] = async (range, order, limit) => {
    const isPlain = order === 'newest' && range.fromMs === undefined && range.toMs === undefined;
    const whole = isPlain
      ? await listWholeHome(engine, userId, range, limit, clock() - READ_NOTED_MS)
      : undefined;
    return whole ?? (await allParts(deps, userId)).list(range, order, limit);
  };
  return { list, nthNewest: async (depth) => (await allParts(deps, userId)).nthNewest(depth) };
}

async function allParts(deps: BuildHomeDeps, userId: UserId): Promise<TimelineSource> {
  const { engine } = deps;
  const timeline = await warmTimeline(deps, userId);
  const large = timeline?.hasLargeFollows === false ? [] : await listLargeFollows(engine, userId);
  return mergedTimeline([
    storedTimeline(engine, wholeHomeEntries, userId),
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
