import { NO_POST_COUNTS, type PostCounts } from '../../core/post.js';
import type { WireJson } from '../../core/wire-json.js';
import { publicMetricFields } from '../wire/post-metrics.js';
import { presenter } from '../wire/presenter.js';

/** Where the JSON of a post holds its JSON with counts (see fixed-json.ts). */
const COUNTED = Symbol('counted');

interface Counted {
  readonly counts: PostCounts;
  readonly original: PostCounts | undefined;
  readonly wire: WireJson;
}

const presentCounts = presenter(publicMetricFields, new Set(Object.keys(publicMetricFields)));

/**
 * Returns a post's JSON with its `public_metrics`; `original` has the counts of the post that it reposts. The result
 * is kept with the JSON that was given, and written again when the counts differ.
 */
export function withPublicMetrics(
  fixed: WireJson & { [COUNTED]?: Counted },
  counts: PostCounts = NO_POST_COUNTS,
  original?: PostCounts,
): WireJson {
  const known = fixed[COUNTED];
  if (known && isSame(known.counts, counts) && isSame(known.original, original)) return known.wire;
  const wire = fixed.with(presentCounts(counts, original));
  fixed[COUNTED] = { counts, original, wire };
  return wire;
}

const COUNTS = ['reposts', 'replies', 'likes', 'quotes', 'bookmarks', 'impressions'] as const;

function isSame(one: PostCounts | undefined, other: PostCounts | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && COUNTS.every((count) => one[count] === other[count]);
}
