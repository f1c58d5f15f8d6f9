import type { CommonPredicate, PostFeature, PostFlag, UserRef } from './conditions.js';
import { boundingBox, pointRadius } from './geo-values.js';
import type { KnownValue, Operator, OperatorSet, ValueReader } from './operator-set.js';
import {
  context,
  countryCode,
  entityName,
  language,
  listId,
  postId,
  tokens,
  user,
} from './operator-values.js';

type Value = readonly [name: string, value: KnownValue<CommonPredicate>];

const isFlag = (name: string, flag: PostFlag, meaning: string): Value => [
  name,
  { test: { kind: 'is', flag }, meaning },
];
const hasFeature = (name: string, feature: PostFeature, meaning: string, advanced = false): Value => [
  name,
  { test: { kind: 'has', feature }, meaning, advanced },
];

const FLAGS: Operator = {
  meaning: 'a kind of post',
  example: 'heron is:reply',
  standalone: false,
  values: new Map([
    isFlag('retweet', 'repost', 'reposts'),
    isFlag('reply', 'reply', 'replies'),
    isFlag('quote', 'quote', 'quotes'),
    isFlag('verified', 'verified', 'posts of verified accounts'),
    [
      'nullcast',
      {
        test: { kind: 'is', flag: 'nullcast' },
        meaning: 'promoted posts that only their audience sees',
        advanced: true,
        only: 'negated',
      },
    ],
  ]),
};

const FEATURES: Operator = {
  meaning: 'an entity or attachment',
  example: 'heron has:images',
  standalone: false,
  values: new Map([
    hasFeature('hashtags', 'hashtags', 'posts with a hashtag'),
    hasFeature('links', 'links', 'posts with a link or media'),
    hasFeature('mentions', 'mentions', 'posts that mention somebody'),
    hasFeature('cashtags', 'cashtags', 'posts with a cashtag', true),
    hasFeature('media', 'media', 'posts with a picture or video'),
    hasFeature('media_link', 'media', 'the same as has:media'),
    hasFeature('images', 'images', 'posts with a picture'),
    hasFeature('videos', 'videos', 'posts with a video'),
    hasFeature('video_link', 'videos', 'the same as has:videos'),
    hasFeature('geo', 'geo', 'posts with a place or coordinates', true),
  ]),
};

/** What an operator finds, and a valid query that uses it. */
type Explanation = readonly [meaning: string, example: string];

/** Declares an operator that may stand alone. */
export const standalone = <P>(
  [meaning, example]: Explanation,
  read: ValueReader<P>,
  more: Partial<Operator<P>> = {},
): Operator<P> => ({ meaning, example, standalone: true, read, ...more });

/** Declares an operator whose value is a user. */
export const ofUser = <const P>(explanation: Explanation, test: (user: UserRef) => P): Operator<P> =>
  standalone(explanation, user(test), { completes: 'user' });

const POST_ID = '1346889436626259968';

const repostsOfUser = ofUser(['reposts of the posts of a user', 'retweets_of:maya'], (of) => ({
  kind: 'reposts-of-user',
  user: of,
}));
const replyToPost = standalone(
  ['replies to a post', `in_reply_to_tweet_id:${POST_ID}`],
  postId((id) => ({ kind: 'reply-to-post', postId: id })),
);
const repostOfPost = standalone(
  ['reposts of a post', `retweets_of_tweet_id:${POST_ID}`],
  postId((id) => ({ kind: 'repost-of-post', postId: id })),
);
const quoteOfPost = standalone(
  ['quotes of a post', `quotes_of_tweet_id:${POST_ID}`],
  postId((id) => ({ kind: 'quote-of-post', postId: id })),
);
const conversation = standalone(
  ['every post of a conversation', `conversation_id:${POST_ID}`],
  postId((id) => ({ kind: 'conversation', postId: id })),
);
const url = standalone(
  ['parts of links; quote values with punctuation', 'url:"https://example.org"'],
  tokens((phrase) => ({ kind: 'url', phrase })),
);
const annotation = standalone(
  ['an annotation: domain.entity; one may be *', 'context:10.799022225751871488'],
  context,
);
const entity = standalone(['an annotation, by the name of its entity', 'entity:"Port Ellary"'], entityName, {
  onlyIn: 'recent',
});
const list = standalone(['posts of the members of a List', `list:${POST_ID}`], listId, { advanced: true });
const place = standalone(
  ['posts tagged with a place, by name or id', 'place:"Port Ellary"'],
  tokens((phrase, text) => ({ kind: 'place', placeId: text.toLowerCase(), phrase })),
  { advanced: true },
);
const country = standalone(
  ['posts tagged in a country, by its code of two letters', 'place_country:NZ'],
  countryCode,
  { advanced: true },
);
const radius = standalone(
  [
    'posts tagged around a point: longitude, latitude, radius below 25mi or 40km',
    'point_radius:[174.77 -41.28 5mi]',
  ],
  pointRadius,
  { advanced: true },
);
const box = standalone(
  [
    'posts tagged in a box: west, south, east, north; sides below 25 miles',
    'bounding_box:[174.6 -41.4 174.9 -41.2]',
  ],
  boundingBox,
  { advanced: true },
);
const LANGUAGE: Operator = {
  meaning: 'the language of the post; und if it is not known',
  example: 'heron lang:en',
  standalone: false,
  completes: 'language',
  read: language,
};

/**
 * The operators of both search and stream rules, with their other spellings. The signs `#`, `@` and `$` are not
 * operators.
 */
export const COMMON_OPERATORS: OperatorSet = new Map<string, Operator>([
  ['from', ofUser(['posts of a user, by username or id', 'from:maya'], (of) => ({ kind: 'from', user: of }))],
  ['to', ofUser(['replies to a user', 'to:maya'], (of) => ({ kind: 'to', user: of }))],
  ['has', FEATURES],
  ['is', FLAGS],
  ['lang', LANGUAGE],
  ['url', url],
  ['retweets_of', repostsOfUser],
  ['retweets_of_user', repostsOfUser],
  ['in_reply_to_tweet_id', replyToPost],
  ['in_reply_to_status_id', replyToPost],
  ['retweets_of_tweet_id', repostOfPost],
  ['retweets_of_status_id', repostOfPost],
  ['quotes_of_tweet_id', quoteOfPost],
  ['quotes_of_status_id', quoteOfPost],
  ['conversation_id', conversation],
  ['context', annotation],
  ['entity', entity],
  ['list', list],
  ['place', place],
  ['place_country', country],
  ['point_radius', radius],
  ['bounding_box', box],
  ['geo_bounding_box', box],
]);
