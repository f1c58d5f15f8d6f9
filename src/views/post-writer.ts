import { editableUntilMs } from '../core/edits.js';
import { memoized } from '../core/memoized.js';
import { NO_POST_COUNTS, type Post } from '../core/post.js';
import { WireJson } from '../core/wire-json.js';
import type { PostSet } from './hydrate/posts.js';
import { changingPostFields, fixedPostFields } from './wire/post.js';
import {
  publicMetricFields,
  showsPrivateMetrics,
  wantsPrivateMetrics,
  type Reading,
} from './wire/post-metrics.js';
import { presenter } from './wire/presenter.js';

/** Writes a post; `posts` has what is shown beside it. */
export type PostWriter = (post: Post, posts: PostSet, reading: Reading) => WireJson;

/** Returns the writer of posts with given fields. */
export const postWriter = memoized((fields: ReadonlySet<string>): PostWriter => {
  const presentFixed = presenter(fixedPostFields, fields);
  const presentMetrics = presenter(publicMetricFields, fields);
  const presentChanging = presenter(changingPostFields, fields);
  const isCounted = fields.has('public_metrics');
  const needsCounts = isCounted || wantsPrivateMetrics(fields);
  const showsEditControls = fields.has('edit_controls');
  return (post, posts, reading) => {
    const id = String(post.id);
    const counts = (needsCounts ? posts.countsOf(post) : undefined) ?? NO_POST_COUNTS;
    const original = isCounted ? posts.originalOf(post) : undefined;
    const originalCounts = original && posts.countsOf(original);
    const privateCounts = showsPrivateMetrics(post, reading) ? counts : undefined;
    if (showsEditControls && reading.nowMs < editableUntilMs(post)) posts.changesWithTime();
    if (posts.isMissingValues()) return new WireJson(id, '{}');
    const members = Object.assign(
      presentFixed(post, id),
      presentMetrics(counts, originalCounts),
      presentChanging(post, { nowMs: reading.nowMs, privateCounts }),
    );
    return new WireJson(id, JSON.stringify(members));
  };
});
