import type { UserId } from '../../core/ids.js';
import { followedAmong } from '../../storage/follows.js';
import {
  findHomeTimeline,
  listWholeHome,
  markHomeRead,
  type HomeTimeline,
} from '../../storage/home-timelines.js';
import { listLargeFollows } from '../../storage/large-authors.js';
import { listPendingFanOuts } from '../../storage/pending-fan-outs.js';
import { homeEntriesAndOwn, userPosts } from '../../storage/timeline-entries.js';
import { buildHomeTimeline, type BuildHomeDeps } from './build-home.js';
import { listedTimeline, mergedTimeline, storedTimeline, type TimelineSource } from './walk-timeline.js';

/** When a timeline was read last is noted about once a day: often enough to tell which ones to keep. */
export const READ_NOTED_MS = 86_400_000;

/** All that a home timeline's ids depend on. */
export const HOME_TABLES = [
  'home_timelines',
  'home_entries',
  'user_posts',
  'large_follows',
  'jobs',
  'follows',
];

/**
 * What a user sees at home: posts that were written out to the user, the user's own, those of large authors, and those
 * that are still being written out (design section 3). Builds the timeline when it is cold.
 *
 * The first two are mostly all there is, and one statement tells both that and what they are.
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
    storedTimeline(engine, homeEntriesAndOwn, userId),
    ...large.map((authorId) => storedTimeline(engine, userPosts, authorId)),
    ...(timeline?.hasPending === false ? [] : await pendingTimelines(deps, userId)),
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

/** Whoever follows the author of a post that was acknowledged sees it, though its turn has not come. */
async function pendingTimelines({ engine }: BuildHomeDeps, userId: UserId): Promise<TimelineSource[]> {
  const pending = await listPendingFanOuts(engine);
  if (pending.length === 0) return [];
  const followed = await followedAmong(engine, userId, [...new Set(pending.map((post) => post.authorId))]);
  return [listedTimeline(pending.filter((post) => followed.has(post.authorId)))];
}
