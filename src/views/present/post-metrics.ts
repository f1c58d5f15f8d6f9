import type { UserId } from '../../core/ids.js';
import type { Post, PostCounts } from '../../core/post.js';

/** Private metrics are kept for 30 days (docs/api/objects.md#post). */
const PRIVATE_METRICS_MS = 30 * 24 * 60 * 60 * 1000;

const CLICKS = ['url_link_clicks', 'user_profile_clicks'];
const ENGAGEMENT = ['impression_count', 'like_count', 'reply_count', 'retweet_count', ...CLICKS];

/** The leaves of each private field: a refusal names each of them. */
const PRIVATE_LEAVES: Readonly<Record<string, readonly string[]>> = {
  non_public_metrics: ['impression_count', ...CLICKS],
  organic_metrics: ENGAGEMENT,
  promoted_metrics: ENGAGEMENT,
};

/** The metrics that only the author may see. */
export const PRIVATE_FIELDS: readonly string[] = Object.keys(PRIVATE_LEAVES);

/** The metrics everybody may see. A repost shows the original's reposts and zeros (docs/api/posts.md#replies-quotes-and-reposts). */
export function presentPublicMetrics(
  counts: PostCounts,
  original: PostCounts | undefined,
): Record<string, number> {
  return {
    retweet_count: original ? original.reposts : counts.reposts,
    reply_count: counts.replies,
    like_count: counts.likes,
    quote_count: counts.quotes,
    ...(counts.impressions === undefined ? {} : { impression_count: counts.impressions }),
  };
}

/** True when the fields ask for metrics that only the author may see. */
export function wantsPrivateMetrics(fields: ReadonlySet<string>): boolean {
  return PRIVATE_FIELDS.some((field) => fields.has(field));
}

/** The leaves of requested private fields that this viewer may not see of this post: empty for its recent author. */
export function refusedMetrics(
  post: Post,
  viewerId: UserId | undefined,
  fields: ReadonlySet<string>,
  nowMs: number,
): string[] {
  if (!wantsPrivateMetrics(fields)) return [];
  const isOwn = viewerId === post.authorId;
  const isRecent = nowMs - post.createdAtMs <= PRIVATE_METRICS_MS;
  if (isOwn && isRecent && post.repostedPostId === undefined) return [];
  return Object.entries(PRIVATE_LEAVES)
    .filter(([field]) => fields.has(field))
    .flatMap(([field, leaves]) => leaves.map((leaf) => `${field}.${leaf}`));
}

/** The private metrics for the author. Nothing here promotes posts or counts clicks, so those members are absent. */
export function presentPrivateMetrics(
  counts: PostCounts,
  fields: ReadonlySet<string>,
): Record<string, Record<string, number>> {
  const metrics: Record<string, Record<string, number>> = {};
  const impressions = counts.impressions ?? 0;
  if (fields.has('non_public_metrics')) metrics.non_public_metrics = { impression_count: impressions };
  if (fields.has('organic_metrics')) {
    metrics.organic_metrics = {
      impression_count: impressions,
      like_count: counts.likes,
      reply_count: counts.replies,
      retweet_count: counts.reposts,
    };
  }
  return metrics;
}
