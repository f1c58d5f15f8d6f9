import { count, date, described, text } from '../core/json-schema.js';
import type { Trend } from '../services/trends/rank-trends.js';
import { presentDate } from '../views/present/dates.js';
import { byDefault, type Fields } from '../views/wire/field.js';

/** A hashtag of many posts (docs/api/search.md#trends). */
export const trendFields = {
  trend_name: byDefault(text, ({ name }) => name),
  tweet_count: byDefault(count, ({ posts }) => posts),
} satisfies Fields<Trend>;

/** The same for one user. */
export const personalizedTrendFields = {
  trend_name: byDefault(text, ({ name }) => name),
  category: byDefault(described(text, 'Always `Hashtag`.'), () => 'Hashtag'),
  post_count: byDefault(text, ({ posts }) => `${posts} ${posts === 1 ? 'post' : 'posts'}`),
  trending_since: byDefault(date, ({ sinceMs }) => presentDate(sinceMs)),
} satisfies Fields<Trend>;
