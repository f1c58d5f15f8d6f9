import { count, date, fullObject, id, listOf } from '../core/json-schema.js';
import type { PostAnalytics } from '../services/posts/analytics.js';
import { presentDate } from '../views/present/dates.js';
import { byDefault, required, type Fields } from '../views/wire/field.js';

const metrics = fullObject({
  engagements: count,
  likes: count,
  quote_tweets: count,
  replies: count,
  retweets: count,
});

/** The activity on a post over time (docs/api/posts.md#analytics). */
export const analyticsFields = {
  id: required(id, (post) => String(post.id)),
  timestamped_metrics: byDefault(listOf(fullObject({ timestamp: date, metrics })), ({ periods }) =>
    periods.length === 0
      ? undefined
      : periods.map(({ startMs, likes, quotes, replies, reposts }) => ({
          timestamp: presentDate(startMs),
          metrics: {
            engagements: likes + quotes + replies + reposts,
            likes,
            quote_tweets: quotes,
            replies,
            retweets: reposts,
          },
        })),
  ),
} satisfies Fields<PostAnalytics>;
