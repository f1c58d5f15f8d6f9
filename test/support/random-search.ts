import { firstIdAt } from '../../src/core/snowflake.js';
import { PLAIN_POST, type SearchablePost } from './naive-search.js';

/** Returns a deterministic generator of numbers from 0 to below 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const WORDS =
  'the cat sat on a mat coca cola café CAFÉ naïve dog_run 42 東京都タワー 京都 東 สวัสดี 👍 👍🏽 ½ Straße Don’t x.org über'.split(
    ' ',
  );
const TAGS = ['cats', 'Dogs', 'café', '東京', 'x_y'];
const USERS = [
  { id: 1n, username: 'alice', verified: true, listIds: [70n] },
  { id: 2n, username: 'Bob', verified: false, listIds: [] },
  { id: 3n, username: 'carol', verified: false, listIds: [70n, 71n] },
  { id: 4n, username: 'dan_4', verified: true, listIds: [71n] },
];
const PLACES: readonly SearchablePost['place'][] = [
  {
    id: '01a9',
    fullName: 'Boulder, CO',
    name: 'Boulder',
    countryCode: 'US',
    box: [-105.3, 39.96, -105.17, 40.09],
  },
  { id: 'ff02', fullName: 'Kyoto 京都', countryCode: 'JP', box: [135.5, 34.8, 135.9, 35.3] },
  { id: 'abcd', fullName: 'Nowhere' },
];
const URLS = [
  { url: 'https://t.co/x1', expandedUrl: 'https://x.org/a?b=Cats' },
  { url: 'https://y.org/cat', expandedUrl: 'https://y.org/cat', unwoundUrl: 'https://z.example/the/cat' },
  { url: 'https://t.co/café' },
];
const CONTEXTS = [
  { domainId: '10', entityId: '799', entityName: 'Barack Obama' },
  { domainId: '11', entityId: '800', entityName: 'Cats & dogs' },
];
const START_MS = Date.UTC(2020, 0, 1);

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function some<T>(random: Random, chance: number, from: readonly T[]): T[] {
  return from.filter(() => random() < chance / from.length);
}

/** Generates posts that match most conditions now and then; every tenth id carries no time. */
export function randomPosts(seed: number, count: number): SearchablePost[] {
  const random = seeded(seed);
  const posts: SearchablePost[] = [];
  for (let n = 0; n < count; n++) {
    const id =
      n % 10 === 9 ? BigInt(1_000 + n) : firstIdAt(START_MS + n * 60_000 + Math.floor(random() * 60_000));
    const before = posts.length > 0 ? pick(random, posts) : undefined;
    posts.push(random() < 0.2 && before ? repostOf(random, id, before) : ownPost(random, id, before));
  }
  return posts;
}

function repostOf(random: Random, id: bigint, original: SearchablePost): SearchablePost {
  const of = original.reposted ? undefined : original;
  if (!of) return ownPost(random, id, undefined);
  return {
    ...of,
    id,
    author: pick(random, USERS),
    conversationId: id,
    nullcast: false,
    inReplyToUser: undefined,
    repliedToPostId: undefined,
    quotedPostId: undefined,
    reposted: { postId: of.id, author: of.author },
    counts: PLAIN_POST.counts,
  };
}

function ownPost(random: Random, id: bigint, before: SearchablePost | undefined): SearchablePost {
  const isReply = before !== undefined && random() < 0.3;
  const words = Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, WORDS));
  const count = (): number => Math.floor(random() ** 3 * 10);
  return {
    id,
    text: words.join(pick(random, [' ', ' ', ', ', '-', '\n'])),
    lang: pick(random, ['en', 'ja', 'und', 'zh-CN']),
    author: pick(random, USERS),
    conversationId: isReply ? before.conversationId : id,
    nullcast: random() < 0.05,
    inReplyToUser: isReply || random() < 0.05 ? pick(random, USERS) : undefined,
    repliedToPostId: isReply ? before.id : undefined,
    quotedPostId: before !== undefined && random() < 0.15 ? before.id : undefined,
    hashtags: some(random, 0.5, TAGS),
    cashtags: some(random, 0.2, ['TWTR', 'aapl']),
    mentions: some(random, 0.5, ['alice', 'Bob', 'stranger']),
    urls: some(random, 0.5, URLS),
    media: some(random, 0.4, ['photo', 'video', 'animated_gif']),
    annotations: some(random, 0.2, ['Barack Obama', 'Café Noir']),
    contexts: some(random, 0.3, CONTEXTS),
    place: random() < 0.25 ? pick(random, PLACES) : undefined,
    coordinates: random() < 0.1 ? [-105.28, 40.02] : undefined,
    counts: { likes: count(), replies: count(), reposts: count() },
  };
}

const TERMS: readonly ((random: Random, posts: readonly SearchablePost[]) => string)[] = [
  (random) => pick(random, WORDS),
  (random) => pick(random, WORDS),
  (random) => `"${pick(random, WORDS)} ${pick(random, WORDS)}"`,
  (random) => `#${pick(random, TAGS)}`,
  (random) => `@${pick(random, ['alice', 'bob', 'nobody', 'stranger'])}`,
  (random) => `$${pick(random, ['twtr', 'AAPL'])}`,
  (random) =>
    `${pick(random, ['from', 'to', 'retweets_of'])}:${pick(random, ['alice', 'BOB', '3', 'dan_4', 'nobody'])}`,
  (random) => `url:${pick(random, ['cats', 'cat', '"x.org/a"', '"the cat"', 'https', 'café'])}`,
  (random, posts) => {
    const name = ['conversation_id', 'in_reply_to_tweet_id', 'retweets_of_tweet_id', 'quotes_of_tweet_id'];
    return `${pick(random, name)}:${pick(random, posts).id}`;
  },
  (random) => `context:${pick(random, ['10.799', '10.*', '*.800', '11.799'])}`,
  (random) => `entity:"${pick(random, ['barack obama', 'cats & dogs', 'CAFE noir', 'cats'])}"`,
  (random) => `list:${pick(random, [70, 71, 72])}`,
  (random) => `place:${pick(random, ['boulder', '"boulder co"', '01A9', 'kyoto', '京都', 'nowhere'])}`,
  (random) => `place_country:${pick(random, ['us', 'JP', 'de'])}`,
  (random) => pick(random, ['point_radius:[-105.28 40.02 10mi]', 'point_radius:[-105.28 40.02 1km]']),
  () => 'bounding_box:[-105.31 39.95 -105.16 40.1]',
  (random) => `sample:${pick(random, [1, 10, 50, 100])}`,
  (random) => `min_${pick(random, ['likes', 'replies', 'reposts'])}:${pick(random, [0, 1, 5])}`,
  (random) => `is:${pick(random, ['retweet', 'reply', 'quote', 'verified'])}`,
  () => '-is:nullcast',
  (random) =>
    `has:${pick(random, ['hashtags', 'links', 'mentions', 'cashtags', 'media', 'images', 'videos', 'geo'])}`,
  (random) => `lang:${pick(random, ['en', 'ja', 'und', 'zh-cn'])}`,
];

/** Generates a query of nested terms; some of them are invalid. */
export function randomQuery(random: Random, posts: readonly SearchablePost[], depth = 3): string {
  if (depth === 0 || random() < 0.3) {
    const term = pick(random, TERMS)(random, posts);
    return random() < 0.2 && !term.startsWith('-') ? `-${term}` : term;
  }
  const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () =>
    randomQuery(random, posts, depth - 1),
  );
  const joined = parts.join(random() < 0.5 ? ' ' : ' OR ');
  return depth === 3 ? joined : `${random() < 0.15 ? '-' : ''}(${joined})`;
}
