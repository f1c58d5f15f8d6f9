import { count, date, fullObject, id, listOf, object, ref, text } from '../../core/json-schema.js';

/** How many posts were made in a period that match (docs/api/search.md#counts). */
export const searchCount = fullObject({ start: date, end: date, tweet_count: count });

/** A page of counts (docs/api/search.md#counts). */
export const countsPage = fullObject({
  data: listOf(ref('SearchCount')),
  meta: object({ total_tweet_count: count, newest_id: id, oldest_id: id, next_token: text }, [
    'total_tweet_count',
  ]),
});
