import type { UserId } from '../../core/ids.js';
import { count, object } from '../../core/json-schema.js';
import type { Post, PostCounts } from '../../core/post.js';
import { field, unshown, type Fields } from './field.js';

/** Private metrics are kept for 30 days (docs/api/objects.md#post). */
const PRIVATE_METRICS_MS = 30 * 24 * 60 * 60 * 1000;

/** What the changing members of a post depend on. */
export interface PostMoment {
  readonly nowMs: number;
  /** The counts of the post, when the viewer may see its private metrics. */
  readonly privateCounts: PostCounts | undefined;
}

/** The time of a read and its viewer. */
export interface Reading {
  readonly nowMs: number;
  readonly viewerId: UserId | undefined;
}

const publicMetrics = object(
  {
    retweet_count: count,
    reply_count: count,
    like_count: count,
    quote_count: count,
    impression_count: count,
  },
  ['retweet_count', 'reply_count', 'like_count', 'quote_count'],
);

const ownerMetrics = object({
  impression_count: count,
  like_count: count,
  reply_count: count,
  retweet_count: count,
  url_link_clicks: count,
  user_profile_clicks: count,
});

/**
 * The counts of a post, beside those of the post that it reposts. A repost shows the original's reposts
 * (docs/api/posts.md#replies-quotes-and-reposts).
 */
export const publicMetricFields = {
  public_metrics: field(publicMetrics, (counts, original) => ({
    retweet_count: original ? original.reposts : counts.reposts,
    reply_count: counts.replies,
    like_count: counts.likes,
    quote_count: counts.quotes,
    impression_count: counts.impressions,
  })),
} satisfies Fields<PostCounts, PostCounts | undefined>;

/** The metrics for the author. Nothing here promotes posts or counts clicks: those members are absent. */
export const privateMetricFields = {
  non_public_metrics: field(
    ownerMetrics,
    (_, { privateCounts }) => privateCounts && { impression_count: privateCounts.impressions ?? 0 },
  ),
  organic_metrics: field(
    ownerMetrics,
    (_, { privateCounts }) =>
      privateCounts && {
        impression_count: privateCounts.impressions ?? 0,
        like_count: privateCounts.likes,
        reply_count: privateCounts.replies,
        retweet_count: privateCounts.reposts,
      },
  ),
  promoted_metrics: unshown(ownerMetrics),
} satisfies Fields<Post, PostMoment>;

const CLICKS = ['url_link_clicks', 'user_profile_clicks'];
const ENGAGEMENT = ['impression_count', 'like_count', 'reply_count', 'retweet_count', ...CLICKS];

/** The members of each private field: a refusal names each of them. */
const PRIVATE_LEAVES: Readonly<Record<keyof typeof privateMetricFields, readonly string[]>> = {
  non_public_metrics: ['impression_count', ...CLICKS],
  organic_metrics: ENGAGEMENT,
  promoted_metrics: ENGAGEMENT,
};

/** True when the fields ask for metrics that only the author may see. */
export function wantsPrivateMetrics(fields: ReadonlySet<string>): boolean {
  return Object.keys(PRIVATE_LEAVES).some((field) => fields.has(field));
}

/** Returns the requested private members that the viewer may not see: none of an own recent post. */
export function refusedMetrics(post: Post, fields: ReadonlySet<string>, reading: Reading): string[] {
  if (!wantsPrivateMetrics(fields) || showsPrivateMetrics(post, reading)) return [];
  return Object.entries(PRIVATE_LEAVES)
    .filter(([field]) => fields.has(field))
    .flatMap(([field, leaves]) => leaves.map((leaf) => `${field}.${leaf}`));
}

/** True for the author of a recent post that is no repost. */
export function showsPrivateMetrics(post: Post, { nowMs, viewerId }: Reading): boolean {
  const isRecent = nowMs - post.createdAtMs <= PRIVATE_METRICS_MS;
  return viewerId === post.authorId && isRecent && post.repostedPostId === undefined;
}
