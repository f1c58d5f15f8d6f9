import { NO_POST_COUNTS, type PostCounts } from '../../core/post.js';
import type { WireJson } from '../../core/wire-json.js';
import { presentPublicMetrics } from './post-metrics.js';

/** Where a post's JSON carries what was written of it with counts (see fixed-json.ts). */
const COUNTED = Symbol('counted');

interface Counted {
  readonly counts: PostCounts;
  readonly original: PostCounts | undefined;
  readonly wire: WireJson;
}

/**
 * A post's JSON with its `public_metrics`; `original` has the counts of what it reposts. It is kept with the JSON that
 * came, and written anew when the counts are not what they were.
 */
export function withPublicMetrics(
  fixed: WireJson & { [COUNTED]?: Counted },
  counts: PostCounts = NO_POST_COUNTS,
  original?: PostCounts,
): WireJson {
  const known = fixed[COUNTED];
  if (known && isSame(known.counts, counts) && isSame(known.original, original)) return known.wire;
  const wire = fixed.with({ public_metrics: presentPublicMetrics(counts, original) });
  fixed[COUNTED] = { counts, original, wire };
  return wire;
}

const COUNTS = ['reposts', 'replies', 'likes', 'quotes', 'bookmarks', 'impressions'] as const;

function isSame(one: PostCounts | undefined, other: PostCounts | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && COUNTS.every((count) => one[count] === other[count]);
}
