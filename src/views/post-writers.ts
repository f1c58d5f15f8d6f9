import { memoized } from '../core/memoized.js';
import { NO_POST_COUNTS, type Post } from '../core/post.js';
import type { WireJson } from '../core/wire-json.js';
import type { PostSet } from './hydrate/posts.js';
import { withPostMetrics } from './present/counted-json.js';
import { FixedJson } from './present/fixed-json.js';
import { changingPostFields, fixedPostFields } from './wire/post.js';
import { showsPrivateMetrics, wantsPrivateMetrics, type Reading } from './wire/post-metrics.js';
import { presenter } from './wire/presenter.js';

export type PostWriters = ReturnType<typeof createPostWriters>;

/** Returns a function that returns the writer of posts with given fields. */
export function createPostWriters() {
  const fixed = new FixedJson<Post>(fixedPostFields);
  return memoized((fields: ReadonlySet<string>) => {
    const write = fixed.writer(fields);
    const isChanging = Object.keys(changingPostFields).some((field) => fields.has(field));
    const isCounted = fields.has('public_metrics');
    const needsCounts = isCounted || wantsPrivateMetrics(fields);
    const presentChanging = presenter(changingPostFields, fields);
    return (post: Post, posts: PostSet, reading: Reading): WireJson => {
      const original = isCounted ? posts.originalOf(post) : undefined;
      const counts = needsCounts ? posts.countsOf(post) : undefined;
      const counted = isCounted
        ? withPostMetrics(write(post), counts, original && posts.countsOf(original))
        : write(post);
      if (!isChanging) return counted;
      const privateCounts = showsPrivateMetrics(post, reading) ? (counts ?? NO_POST_COUNTS) : undefined;
      return counted.with(presentChanging(post, { nowMs: reading.nowMs, privateCounts }));
    };
  });
}
