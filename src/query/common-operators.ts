import type { CommonPredicate, PostFeature, PostFlag } from './conditions.js';
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

const isFlag = (flag: PostFlag) => ({ test: { kind: 'is', flag } }) as const;
const hasFeature = (feature: PostFeature, advanced = false) =>
  ({ test: { kind: 'has', feature }, advanced }) as const;

const FLAGS: Operator = {
  standalone: false,
  values: new Map<string, KnownValue<CommonPredicate>>([
    ['retweet', isFlag('repost')],
    ['reply', isFlag('reply')],
    ['quote', isFlag('quote')],
    ['verified', isFlag('verified')],
    ['nullcast', { ...isFlag('nullcast'), advanced: true, only: 'negated' }],
  ]),
};

const FEATURES: Operator = {
  standalone: false,
  values: new Map([
    ['hashtags', hasFeature('hashtags')],
    ['links', hasFeature('links')],
    ['mentions', hasFeature('mentions')],
    ['cashtags', hasFeature('cashtags', true)],
    ['media', hasFeature('media')],
    ['media_link', hasFeature('media')],
    ['images', hasFeature('images')],
    ['videos', hasFeature('videos')],
    ['video_link', hasFeature('videos')],
    ['geo', hasFeature('geo', true)],
  ]),
};

/** Declares an operator that may stand alone. */
export const standalone = <P>(read: ValueReader<P>, more: Partial<Operator<P>> = {}): Operator<P> => ({
  standalone: true,
  read,
  ...more,
});

const repostsOfUser = standalone(user((of) => ({ kind: 'reposts-of-user', user: of })));
const replyToPost = standalone(postId((id) => ({ kind: 'reply-to-post', postId: id })));
const repostOfPost = standalone(postId((id) => ({ kind: 'repost-of-post', postId: id })));
const quoteOfPost = standalone(postId((id) => ({ kind: 'quote-of-post', postId: id })));
const place = standalone(
  tokens((phrase, text) => ({ kind: 'place', placeId: text.toLowerCase(), phrase })),
  { advanced: true },
);
const box = standalone(boundingBox, { advanced: true });

/** The operators of both search and stream rules. The signs `#`, `@` and `$` are not operators. */
export const COMMON_OPERATORS: OperatorSet = new Map<string, Operator>([
  ['from', standalone(user((author) => ({ kind: 'from', user: author })))],
  ['to', standalone(user((target) => ({ kind: 'to', user: target })))],
  ['url', standalone(tokens((phrase) => ({ kind: 'url', phrase })))],
  ['retweets_of', repostsOfUser],
  ['retweets_of_user', repostsOfUser],
  ['in_reply_to_tweet_id', replyToPost],
  ['in_reply_to_status_id', replyToPost],
  ['retweets_of_tweet_id', repostOfPost],
  ['retweets_of_status_id', repostOfPost],
  ['quotes_of_tweet_id', quoteOfPost],
  ['quotes_of_status_id', quoteOfPost],
  ['conversation_id', standalone(postId((id) => ({ kind: 'conversation', postId: id })))],
  ['context', standalone(context)],
  ['entity', standalone(entityName, { onlyIn: 'recent' })],
  ['list', standalone(listId, { advanced: true })],
  ['place', place],
  ['place_country', standalone(countryCode, { advanced: true })],
  ['point_radius', standalone(pointRadius, { advanced: true })],
  ['bounding_box', box],
  ['geo_bounding_box', box],
  ['is', FLAGS],
  ['has', FEATURES],
  ['lang', { standalone: false, read: language }],
]);
