import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { PostId } from '../../core/ids.js';
import { firstVersionId } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import { ACTIVITIES, countActivity, type Activity, type Periods } from '../../stores/post-activity.js';
import { findPosts } from '../../stores/posts.js';

const HOUR_MS = 3_600_000;

/** The length of a period by granularity. `total` is one period. */
const LENGTHS_MS = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
  total: Infinity,
} as const;

export type Granularity = keyof typeof LENGTHS_MS;
export const GRANULARITIES = Object.keys(LENGTHS_MS) as readonly Granularity[];

/** The most periods of a request. */
const MAX_PERIODS = 1_000;

export interface PeriodRequest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity: Granularity;
}

export interface AnalyticsRequest extends PeriodRequest {
  readonly ids: readonly PostId[];
}

export type ActivityCounts = Readonly<Record<Activity, number>>;

/** The activity on a post in each period that has any, in order. */
export interface PostAnalytics {
  readonly id: PostId;
  readonly periods: readonly (ActivityCounts & { readonly startMs: number })[];
}

/** What is known of each requested post: the activity of own posts, else why there is none. */
export type AnalyticsResult =
  | { readonly kind: 'own'; readonly analytics: PostAnalytics }
  | { readonly kind: 'missing' | 'of-another'; readonly id: PostId };

export type AnalyticsService = ReturnType<typeof createAnalyticsService>;

/** Creates the service that counts the activity on own posts over time (docs/api/posts.md#analytics). */
export function createAnalyticsService({ engine }: { readonly engine: Engine }) {
  return async ({ userId }: UserPrincipal, request: AnalyticsRequest): Promise<AnalyticsResult[]> => {
    const periods = requirePeriods(request);
    const ids = [...new Set(request.ids)];
    const posts = await findPosts(engine, ids);
    const own = [...posts.values()].filter(({ authorId }) => authorId === userId);
    const counts = await countAll(engine, own.map(firstVersionId), periods);
    return ids.map((id) => {
      const post = posts.get(id);
      if (post?.authorId !== userId) return { kind: post ? 'of-another' : 'missing', id };
      const counted = counts.get(firstVersionId(post));
      return { kind: 'own', analytics: { id, periods: shownPeriods(counted, periods) } };
    });
  };
}

/** Returns the periods of a request. Throws 'invalid-request' for an empty time or too many periods. */
export function requirePeriods({ fromMs, toMs, granularity }: PeriodRequest): Periods {
  if (toMs <= fromMs) {
    throw invalidRequest('end_time', [new Date(toMs).toISOString()], '`end_time` must be after `start_time`');
  }
  const lengthMs = Math.min(LENGTHS_MS[granularity], toMs - fromMs);
  if ((toMs - fromMs) / lengthMs > MAX_PERIODS) {
    const message = `The time from \`start_time\` to \`end_time\` has more than ${MAX_PERIODS} periods`;
    throw invalidRequest('granularity', [granularity], message);
  }
  return { fromMs, toMs, lengthMs };
}

type Counted = Map<number, Record<Activity, number>>;

async function countAll(
  engine: Engine,
  ids: readonly PostId[],
  periods: Periods,
): Promise<ReadonlyMap<PostId, Counted>> {
  const byPost = new Map<PostId, Counted>(ids.map((id) => [id, new Map()]));
  for (const activity of ACTIVITIES) {
    for (const { postId, period, count } of await countActivity(engine, activity, ids, periods)) {
      const counted = byPost.get(postId);
      const counts = counted?.get(period) ?? { likes: 0, replies: 0, reposts: 0, quotes: 0 };
      counts[activity] = count;
      counted?.set(period, counts);
    }
  }
  return byPost;
}

function shownPeriods(counted: Counted = new Map(), { fromMs, lengthMs }: Periods): PostAnalytics['periods'] {
  return [...counted]
    .sort(([one], [other]) => one - other)
    .map(([period, counts]) => ({ ...counts, startMs: fromMs + period * lengthMs }));
}
