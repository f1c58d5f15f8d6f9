import * as names from './fields.js';
import { choicesParam, inOlderNames } from './params.js';

/** The parameter families of docs/api/requests.md#parameters, in the order in which messages list them. */

const expansions = <const V extends string>(values: readonly V[]) =>
  choicesParam(values, 'Related objects to add under `includes`.');

/** The fields of some objects that a request selects. */
export const fieldsParam = (fields: readonly string[], of: string) =>
  choicesParam(fields, `Fields of ${of} to return beside the default ones.`);

const tweetFields = fieldsParam(names.TWEET_FIELDS, 'posts');
const userFields = fieldsParam(names.USER_FIELDS, 'users');
const mediaFields = fieldsParam(names.MEDIA_FIELDS, 'media');
const pollFields = fieldsParam(names.POLL_FIELDS, 'polls');
const placeFields = fieldsParam(names.PLACE_FIELDS, 'places');

/** `P`: endpoints that return posts. */
export const postFieldParams = {
  expansions: expansions(names.TWEET_EXPANSIONS),
  'tweet.fields': tweetFields,
  'media.fields': mediaFields,
  'poll.fields': pollFields,
  'place.fields': placeFields,
  'user.fields': userFields,
};

/** Streams of posts, which have the older names only (docs/api/objects.md#vocabularies). */
export const streamedPostParams = inOlderNames(postFieldParams);

/** Streams of likes. */
export const streamedLikeParams = inOlderNames({
  'like_with_tweet_author.fields': fieldsParam(names.LIKE_FIELDS, 'likes'),
  expansions: expansions(names.LIKE_EXPANSIONS),
  'media.fields': mediaFields,
  'user.fields': userFields,
  'tweet.fields': tweetFields,
});

/** Endpoints that return media. */
export const mediaFieldParams = { 'media.fields': mediaFields };

/** `U`: endpoints that return users. */
export const userFieldParams = {
  expansions: expansions(names.USER_EXPANSIONS),
  'tweet.fields': tweetFields,
  'user.fields': userFields,
};

/** Endpoints that return users but take all of `P`: likers, reposters, buyers (docs/api/objects.md#field-selection). */
export const userWithPostFieldParams = {
  ...postFieldParams,
  expansions: expansions([...names.TWEET_EXPANSIONS, ...names.USER_EXPANSIONS]),
};

/** `L`: endpoints that return lists. */
export const listFieldParams = {
  expansions: expansions(names.LIST_EXPANSIONS),
  'list.fields': fieldsParam(names.LIST_FIELDS, 'lists'),
  'user.fields': userFields,
};

/** `S`: endpoints that return Spaces. */
export const spaceFieldParams = {
  expansions: expansions(names.SPACE_EXPANSIONS),
  'space.fields': fieldsParam(names.SPACE_FIELDS, 'Spaces'),
  'user.fields': userFields,
  'topic.fields': fieldsParam(names.TOPIC_FIELDS, 'topics'),
};

/** `D`: endpoints that return direct message events. */
export const dmEventFieldParams = {
  expansions: expansions(names.DM_EVENT_EXPANSIONS),
  'dm_event.fields': fieldsParam(names.DM_EVENT_FIELDS, 'events'),
  'tweet.fields': tweetFields,
  'media.fields': mediaFields,
  'user.fields': userFields,
};
