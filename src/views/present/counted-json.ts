import { NO_POST_COUNTS, type PostCounts } from '../../core/post.js';
import type { User, UserCounts } from '../../core/user.js';
import type { WireJson, WireObject } from '../../core/wire-json.js';
import { publicMetricFields } from '../wire/post-metrics.js';
import { presenter } from '../wire/presenter.js';
import { extraUserFields } from '../wire/user.js';

/** Where the JSON of an object holds its JSON with counts (see fixed-json.ts). */
const COUNTED = Symbol('counted');

type Counts = Partial<PostCounts & UserCounts>;

const POST_COUNTS = ['reposts', 'replies', 'likes', 'quotes', 'bookmarks', 'impressions'] as const;
const USER_COUNTS = ['followers', 'following', 'posts', 'listed'] as const;
const COUNTS = [...POST_COUNTS, ...USER_COUNTS];

interface Counted {
  readonly counts: Counts;
  readonly original: Counts | undefined;
  readonly wire: WireJson;
}

type Countable = WireJson & { [COUNTED]?: Counted };

const METRICS = new Set(['public_metrics']);
const presentPostCounts = presenter(publicMetricFields, METRICS);
const presentUserCounts = presenter(extraUserFields, METRICS);

/**
 * Returns a post's JSON with its `public_metrics`; `original` has the counts of the post that it reposts. The result
 * is kept with the JSON that was given, and written again when the counts differ.
 */
export function withPostMetrics(
  fixed: Countable,
  counts: PostCounts = NO_POST_COUNTS,
  original?: PostCounts,
): WireJson {
  return kept(fixed, counts, original, () => presentPostCounts(counts, original));
}

/** Does the same for a user. */
export function withUserMetrics(fixed: Countable, user: User, counts: UserCounts): WireJson {
  return kept(fixed, counts, undefined, () => presentUserCounts(user, { counts }));
}

function kept(
  fixed: Countable,
  counts: Counts,
  original: Counts | undefined,
  present: () => WireObject,
): WireJson {
  const known = fixed[COUNTED];
  if (known && isSame(known.counts, counts) && isSame(known.original, original)) return known.wire;
  const wire = fixed.with(present());
  fixed[COUNTED] = { counts, original, wire };
  return wire;
}

function isSame(one: Counts | undefined, other: Counts | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && COUNTS.every((count) => one[count] === other[count]);
}
