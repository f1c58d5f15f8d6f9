import type { PostId, UserId } from '../src/core/ids.js';
import type { Post } from '../src/core/post.js';
import { firstIdAt } from '../src/core/snowflake.js';
import { seeded } from '../test/support/random-search.js';

/** One post every 30 seconds from this time. */
const FIRST_MS = Date.UTC(2021, 0, 1);
const STEP_MS = 30_000;

/** Word frequencies as in a language: the nth word is 1/n as frequent as the first. */
export const WORDS = 50_000;
export const AUTHORS = 20_000;
/** The first of the authors’ ids. */
export const FIRST_AUTHOR_ID = 1_000_000;

export interface SearchPosts {
  /** Returns the `n`th post; must be called in order. */
  next(n: number): Post;
}

/** Returns the creation time of the `n`th post in milliseconds. */
export function madeMs(n: number): number {
  return FIRST_MS + n * STEP_MS;
}

/** The interval between posts of the first author. */
const EAGER_EACH = 20;

/** The number of posts with the rare word, independent of the number of posts, so that its pages are equally long. */
const RARE_POSTS = 20;

/** Generates `posts` posts of 8 to 28 words, with `every` in each, `common` in three of ten and `rare` in a few. */
export function searchPosts(posts: number): SearchPosts {
  const rareEach = Math.ceil(posts / RARE_POSTS);
  const random = seeded(5);
  const weights = Array.from({ length: WORDS }, (_, n) => 1 / (n + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const bounds = Float64Array.from(weights, (weight) => (sum += weight / total));
  const word = (): string => `w${firstAtLeast(bounds, random())}`;
  return {
    next: (n) => {
      const words = Array.from({ length: 8 + Math.floor(random() * 20) }, word);
      const text = [
        'every',
        ...words,
        ...(random() < 0.3 ? ['common'] : []),
        ...(n % rareEach === rareEach >> 1 ? ['rare'] : []),
      ].join(' ');
      const tag = random() < 0.2 ? [{ start: 0, end: 1, tag: word() }] : undefined;
      const urls = random() < 0.2 ? [{ start: 0, end: 1, url: `https://example.org/${n}` }] : undefined;
      const author = Math.floor(random() * random() * AUTHORS);
      return postOf(n, n % EAGER_EACH === 0 ? 0 : author, text, random() < 0.3, {
        hashtags: tag,
        urls,
      });
    },
  };
}

function postOf(
  n: number,
  author: number,
  text: string,
  isReply: boolean,
  entities: Post['detail']['entities'],
): Post {
  const id = firstIdAt(madeMs(n)) as PostId;
  return {
    id,
    authorId: BigInt(FIRST_AUTHOR_ID + author) as UserId,
    createdAtMs: madeMs(n),
    conversationId: id,
    text,
    lang: n % 3 === 0 ? 'de' : 'en',
    inReplyToUserId: isReply ? (BigInt(FIRST_AUTHOR_ID) as UserId) : undefined,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    detail: { entities },
  };
}

function firstAtLeast(bounds: Float64Array, value: number): number {
  let [low, high] = [0, bounds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
