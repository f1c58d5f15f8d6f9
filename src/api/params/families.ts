import * as names from './fields.js';
import { choicesParam, inOlderNames } from './params.js';

/** The parameter families of docs/api/requests.md#parameters, in the order in which messages list them. */

const expansions = <const V extends string>(values: readonly V[]) =>
  choicesParam(values, 'Related objects to add under `includes`.');

const tweetFields = choicesParam(names.TWEET_FIELDS, 'Fields of posts to return beside the default ones.');
const userFields = choicesParam(names.USER_FIELDS, 'Fields of users to return beside the default ones.');
const mediaFields = choicesParam(names.MEDIA_FIELDS, 'Fields of media to return beside the default ones.');
const pollFields = choicesParam(names.POLL_FIELDS, 'Fields of polls to return beside the default ones.');
const placeFields = choicesParam(names.PLACE_FIELDS, 'Fields of places to return beside the default ones.');

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
  'like_with_tweet_author.fields': choicesParam(
    names.LIKE_FIELDS,
    'Fields of likes to return beside the default ones.',
  ),
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
  'list.fields': choicesParam(names.LIST_FIELDS, 'Fields of lists to return beside the default ones.'),
  'user.fields': userFields,
};

/** `S`: endpoints that return Spaces. */
export const spaceFieldParams = {
  expansions: expansions(names.SPACE_EXPANSIONS),
  'space.fields': choicesParam(names.SPACE_FIELDS, 'Fields of Spaces to return beside the default ones.'),
  'user.fields': userFields,
  'topic.fields': choicesParam(names.TOPIC_FIELDS, 'Fields of topics to return beside the default ones.'),
};

/** `D`: endpoints that return direct message events. */
export const dmEventFieldParams = {
  expansions: expansions(names.DM_EVENT_EXPANSIONS),
  'dm_event.fields': choicesParam(
    names.DM_EVENT_FIELDS,
    'Fields of events to return beside the default ones.',
  ),
  'tweet.fields': tweetFields,
  'media.fields': mediaFields,
  'user.fields': userFields,
};
