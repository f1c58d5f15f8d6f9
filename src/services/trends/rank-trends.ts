import type { UserId } from '../../core/ids.js';
import type { HashtagUse } from './hashtag-uses.js';

export interface Trend {
  /** With the sign, in the spelling that most posts use. */
  readonly name: string;
  readonly posts: number;
  /** The time of the first post counted. */
  readonly sinceMs: number;
}

interface Tally {
  readonly authors: Set<UserId>;
  readonly spellings: Map<string, number>;
  posts: number;
  sinceMs: number;
}

/**
 * Returns the `limit` hashtags with the most authors, of those the ones with the most posts first, and then in
 * alphabetical order. Case does not distinguish hashtags.
 */
export function rankTrends(uses: Iterable<HashtagUse>, limit: number): Trend[] {
  const tallies = new Map<string, Tally>();
  for (const { tag, authorId, atMs } of uses) {
    const key = tag.toLowerCase();
    const tally = tallies.get(key) ?? { authors: new Set(), spellings: new Map(), posts: 0, sinceMs: atMs };
    tally.authors.add(authorId);
    tally.spellings.set(tag, (tally.spellings.get(tag) ?? 0) + 1);
    tally.posts += 1;
    tally.sinceMs = Math.min(tally.sinceMs, atMs);
    tallies.set(key, tally);
  }
  return [...tallies]
    .sort(([oneKey, one], [otherKey, other]) => compare(one, other) || (oneKey < otherKey ? -1 : 1))
    .slice(0, limit)
    .map(([, { posts, sinceMs, spellings }]) => ({ name: `#${commonest(spellings)}`, posts, sinceMs }));
}

function compare(one: Tally, other: Tally): number {
  return other.authors.size - one.authors.size || other.posts - one.posts;
}

function commonest(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
  return first?.[0] ?? '';
}
