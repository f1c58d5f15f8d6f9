import { NO_POST_COUNTS, type PostCounts } from '../../core/post.js';
import type { WireJson } from '../wire-json.js';
import { presentPublicMetrics } from './post-metrics.js';

interface Counted {
  readonly counts: PostCounts;
  readonly original: PostCounts | undefined;
  readonly wire: WireJson;
}

/**
 * Keeps the JSON of posts with their `public_metrics`, as long as what they show of themselves is kept (fixed-json.ts)
 * and the counts are what they were.
 */
export class CountedJson {
  private readonly written = new WeakMap<WireJson, Counted>();

  /** A post with its counts; `original` has those of what it reposts. */
  write(fixed: WireJson, counts: PostCounts = NO_POST_COUNTS, original?: PostCounts): WireJson {
    const known = this.written.get(fixed);
    if (known && isSame(known.counts, counts) && isSame(known.original, original)) return known.wire;
    const wire = fixed.with({ public_metrics: presentPublicMetrics(counts, original) });
    this.written.set(fixed, { counts, original, wire });
    return wire;
  }
}

const COUNTS = ['reposts', 'replies', 'likes', 'quotes', 'bookmarks', 'impressions'] as const;

function isSame(one: PostCounts | undefined, other: PostCounts | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && COUNTS.every((count) => one[count] === other[count]);
}
