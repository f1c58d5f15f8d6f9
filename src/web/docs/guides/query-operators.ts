/** An operator of the query language as the guide explains it. */
export interface ExplainedOperator {
  /** Its names; those after the first are other spellings. */
  readonly names: readonly string[];
  /** A query that uses it, and is valid. */
  readonly example: string;
  readonly meaning: string;
}

/** The operators of search and counts (docs/api/search.md#operators). */
export const EXPLAINED_OPERATORS: readonly ExplainedOperator[] = [
  { names: ['from'], example: 'from:maya', meaning: 'posts of a user, by username or id' },
  { names: ['to'], example: 'to:maya', meaning: 'replies to a user' },
  {
    names: ['url'],
    example: 'url:"https://example.org"',
    meaning: 'parts of links; quote values with punctuation',
  },
  {
    names: ['retweets_of', 'retweets_of_user'],
    example: 'retweets_of:maya',
    meaning: 'reposts of the posts of a user',
  },
  {
    names: ['in_reply_to_tweet_id', 'in_reply_to_status_id'],
    example: 'in_reply_to_tweet_id:1346889436626259968',
    meaning: 'replies to a post',
  },
  {
    names: ['retweets_of_tweet_id', 'retweets_of_status_id'],
    example: 'retweets_of_tweet_id:1346889436626259968',
    meaning: 'reposts of a post',
  },
  {
    names: ['quotes_of_tweet_id', 'quotes_of_status_id'],
    example: 'quotes_of_tweet_id:1346889436626259968',
    meaning: 'quotes of a post',
  },
  {
    names: ['conversation_id'],
    example: 'conversation_id:1346889436626259968',
    meaning: 'every post of a conversation',
  },
  {
    names: ['context'],
    example: 'context:10.799022225751871488',
    meaning: 'an annotation: domain.entity; one may be *',
  },
  { names: ['entity'], example: 'entity:"Port Ellary"', meaning: 'an annotation, by the name of its entity' },
  { names: ['list'], example: 'list:1346889436626259968', meaning: 'posts of the members of a List' },
  { names: ['place'], example: 'place:"Port Ellary"', meaning: 'posts tagged with a place, by name or id' },
  {
    names: ['place_country'],
    example: 'place_country:NZ',
    meaning: 'posts tagged in a country, by its code of two letters',
  },
  {
    names: ['point_radius'],
    example: 'point_radius:[174.77 -41.28 5mi]',
    meaning: 'posts tagged around a point: longitude, latitude, radius below 25mi or 40km',
  },
  {
    names: ['bounding_box', 'geo_bounding_box'],
    example: 'bounding_box:[174.6 -41.4 174.9 -41.2]',
    meaning: 'posts tagged in a box: west, south, east, north; sides below 25 miles',
  },
  {
    names: ['sample'],
    example: 'heron sample:10',
    meaning: 'a share of all posts in percent; always the same posts',
  },
  { names: ['min_likes'], example: 'min_likes:10', meaning: 'at least so many likes' },
  { names: ['min_replies'], example: 'min_replies:3', meaning: 'at least so many replies' },
  { names: ['min_reposts'], example: 'min_reposts:5', meaning: 'at least so many reposts' },
  { names: ['is'], example: 'heron is:reply', meaning: 'a kind of post' },
  { names: ['has'], example: 'heron has:images', meaning: 'an entity or attachment' },
  { names: ['lang'], example: 'heron lang:en', meaning: 'the language of the post; und if it is not known' },
];

/** What a query can say without operators. */
export const EXPLAINED_TERMS: readonly (readonly [example: string, meaning: string])[] = [
  ['heron pond', 'both words, in any order'],
  ['heron OR egret', 'one of them; OR in capitals'],
  ['heron OR egret pond', 'the same as heron OR (egret pond): words side by side bind tighter'],
  ['(heron OR egret) pond', 'parentheses change that'],
  ['"grey heron"', 'the words in this order'],
  ['heron -pond', 'without the second word'],
  ['heron -(is:retweet OR is:reply)', 'without a group'],
  ['#tides', 'a hashtag'],
  ['@maya', 'a mention'],
  ['$TIDE', 'a cashtag'],
  ['🐟', 'an emoji'],
];
