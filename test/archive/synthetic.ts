/**
 * Generated twarc2 lines: users, words and times are derived from a counter, so that every run generates the same.
 */

/** 2022-01-01, the start of ids and times. */
const START_MS = Date.UTC(2022, 0, 1);
const EPOCH_MS = 1_288_834_974_657;
const WORDS = 'amber basin cedar delta ember fjord grove harbor island juniper kettle lantern meadow'.split(
  ' ',
);
const USERS = 2_000;

/** Returns the id of the n-th generated post. */
export function syntheticPostId(n: number): string {
  return String((BigInt(START_MS + n * 1_000 - EPOCH_MS) << 22n) + BigInt(n % 4_096));
}

function syntheticUserId(n: number): string {
  return String(1_000_000_000 + (n % USERS));
}

const word = (n: number): string => WORDS[((n % WORDS.length) + WORDS.length) % WORDS.length] ?? 'amber';
const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Returns a user with all fields. */
export function syntheticUser(n: number): Record<string, unknown> {
  const id = syntheticUserId(n);
  return {
    id,
    name: `${word(n)} ${word(n + 3)}`,
    username: `u${id}`,
    created_at: '2012-03-04T05:06:07.000Z',
    description: `Writes about ${word(n + 1)} & ${word(n + 5)}.`,
    profile_image_url: `https://images.example/${id}_normal.png`,
    protected: false,
    verified: n % 50 === 0,
    url: '',
    public_metrics: {
      followers_count: n % 900,
      following_count: n % 700,
      tweet_count: n % 5_000,
      listed_count: n % 9,
    },
  };
}

/** Returns a post with the usual fields: every third is a repost, every fifth a reply, the rest have a tag. */
export function syntheticPost(n: number): Record<string, unknown> {
  const id = syntheticPostId(n);
  const tag = word(n * 7);
  const begin = `The ${word(n)} and the ${word(n + 2)} met at ${n} by the ${word(n * 5 + 1)} &amp; stayed `;
  const start = begin.replaceAll('&amp;', '&____').length;
  return {
    id,
    author_id: syntheticUserId(n),
    conversation_id: id,
    created_at: isoTime(START_MS + n * 1_000),
    text: `${begin}#${tag} @u${syntheticUserId(n + 1)}`,
    lang: 'en',
    source: 'Test App',
    possibly_sensitive: false,
    reply_settings: 'everyone',
    public_metrics: { retweet_count: n % 5, reply_count: n % 3, like_count: n % 17, quote_count: n % 2 },
    entities: {
      hashtags: [{ start, end: start + tag.length + 1, tag }],
      mentions: [
        {
          start: start + tag.length + 2,
          end: start + tag.length + 14,
          username: `u${syntheticUserId(n + 1)}`,
          id: syntheticUserId(n + 1),
        },
      ],
    },
    context_annotations: [
      { domain: { id: '30', name: 'Entities', description: 'Made up' }, entity: { id: '7', name: tag } },
    ],
    ...(n % 3 === 1 && { referenced_tweets: [{ type: 'retweeted', id: syntheticPostId(n - 1) }] }),
    ...(n % 5 === 2 && {
      in_reply_to_user_id: syntheticUserId(n - 2),
      referenced_tweets: [{ type: 'replied_to', id: syntheticPostId(n - 2) }],
    }),
  };
}

/** Returns a search page of the posts from `first` on, newest first, with their authors. */
export function syntheticPage(first: number, count: number): string {
  const numbers = Array.from({ length: count }, (_unused, index) => first + count - 1 - index);
  const users = [...new Set(numbers.map((n) => n % USERS))].map(syntheticUser);
  return JSON.stringify({
    data: numbers.map(syntheticPost),
    includes: { users },
    meta: { result_count: count },
    __twarc: {
      url: 'https://api.example/2/tweets/search/all',
      version: '2.9.0',
      retrieved_at: isoTime(START_MS + first).replace('.000Z', '+00:00'),
    },
  });
}

/** Characters that fill a batch of an import (src/archive/read-batches.ts). */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** Returns a page with so many characters, in a member without meaning, that it ends the batch that it is read into. */
export function fillingPage(first: number, count: number): string {
  return syntheticPage(first, count).replace('{', `{"padding":"${'x'.repeat(BATCH_CHARACTERS)}",`);
}
