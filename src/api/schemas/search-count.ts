import { type JsonSchema, ref } from '../json-schema.js';
import { count, date, id, listOf, object, text } from './basic.js';

/** How many posts were made in a period that match (docs/api/search.md#counts). */
export const searchCount: JsonSchema = object({ start: date, end: date, tweet_count: count }, [
  'start',
  'end',
  'tweet_count',
]);

/** A page of counts (docs/api/search.md#counts). */
export const countsPage: JsonSchema = object(
  {
    data: listOf(ref('SearchCount')),
    meta: object({ total_tweet_count: count, newest_id: id, oldest_id: id, next_token: text }, [
      'total_tweet_count',
    ]),
  },
  ['data', 'meta'],
);
