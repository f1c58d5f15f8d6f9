import { NO_POST_COUNTS, type PostCounts } from '../../core/post.js';
import type { User, UserCounts } from '../../core/user.js';
import type { WireJson, WireObject } from '../../core/wire-json.js';
import type { Counts, FixedWire } from './fixed-json.js';
import { publicMetricFields } from '../wire/post-metrics.js';
import { presenter } from '../wire/presenter.js';
import { extraUserFields } from '../wire/user.js';

const POST_COUNTS = ['reposts', 'replies', 'likes', 'quotes', 'bookmarks', 'impressions'] as const;
const USER_COUNTS = ['followers', 'following', 'posts', 'listed'] as const;
const COUNTS = [...POST_COUNTS, ...USER_COUNTS];

const METRICS = new Set(['public_metrics']);
const presentPostCounts = presenter(publicMetricFields, METRICS);
const presentUserCounts = presenter(extraUserFields, METRICS);

/**
 * Returns a post's JSON with its `public_metrics`; `original` has the counts of the post that it reposts. The result
 * is kept with the JSON that was given, and written again when the counts differ.
 */
export function withPostMetrics(
  fixed: FixedWire,
  counts: PostCounts = NO_POST_COUNTS,
  original?: PostCounts,
): WireJson {
  return kept(fixed, counts, original, () => presentPostCounts(counts, original));
}

/** Does the same for a user. */
export function withUserMetrics(fixed: FixedWire, user: User, counts: UserCounts): WireJson {
  return kept(fixed, counts, undefined, () => presentUserCounts(user, { counts }));
}

function kept(
  fixed: FixedWire,
  counts: Counts,
  original: Counts | undefined,
  present: () => WireObject,
): WireJson {
  const known = fixed.counted;
  if (known && isSame(known.counts, counts) && isSame(known.original, original)) return known.wire;
  const wire = fixed.with(present());
  fixed.counted = { counts, original, wire };
  return wire;
}

function isSame(one: Counts | undefined, other: Counts | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && COUNTS.every((count) => one[count] === other[count]);
}
