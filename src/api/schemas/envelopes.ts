import {
  type JsonSchema,
  count,
  fullObject,
  id,
  listOf,
  object,
  ref,
  text,
  date,
} from '../../core/json-schema.js';

/** What expansions add (docs/api/objects.md#field-selection). */
export const includes = object({
  tweets: listOf(ref('Tweet')),
  users: listOf(ref('User')),
  media: listOf(ref('Media')),
  polls: listOf(ref('Poll')),
  places: listOf(ref('Place')),
  topics: listOf(ref('Topic')),
});

/** What a page says about itself (docs/api/requests.md#meta). */
export const meta = object({
  result_count: count,
  newest_id: id,
  oldest_id: id,
  next_token: text,
  previous_token: text,
});

const extras = { includes: ref('Includes'), errors: listOf(ref('Error')) };

/** The envelope of a read of one object: `data`, or only `errors` (docs/api/requests.md#answers). */
export function singleSchema(component: string): JsonSchema {
  return object({ data: ref(component), ...extras });
}

/** The envelope of a read of several objects (docs/api/requests.md#answers). */
export function listSchema(component: string): JsonSchema {
  return object({ data: listOf(ref(component)), ...extras });
}

/** The envelope of a page; one without results has no `data` (docs/api/requests.md#answers). */
export function pageSchema(component: string): JsonSchema {
  return object({ data: listOf(ref(component)), ...extras, meta: ref('Meta') }, ['meta']);
}

/** The envelope of a list of objects that no expansion follows. */
export function plainListSchema(component: string): JsonSchema {
  return object({ data: listOf(ref(component)), errors: extras.errors, meta: ref('Meta') }, ['meta']);
}

/** `{data}` of a write, with these members. */
export function dataSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return fullObject({ data: fullObject(properties) });
}

/** A folder of bookmarks, and a post in it (docs/api/timelines.md#likes-and-bookmarks). */
export const bookmarkFolder = fullObject({ id, name: text });
export const bookmarkedPost = fullObject({ id });

/** How many posts were made in a period that match (docs/api/search.md#counts). */
export const searchCount = fullObject({ start: date, end: date, tweet_count: count });

/** A page of counts (docs/api/search.md#counts). */
export const countsPage = fullObject({
  data: listOf(ref('SearchCount')),
  meta: object({ total_tweet_count: count, newest_id: id, oldest_id: id, next_token: text }, [
    'total_tweet_count',
  ]),
});
