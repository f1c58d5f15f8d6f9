import type { UserId } from '../../core/ids.js';
import { queryWords } from '../../core/search-text/user-words.js';
import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import { followedAmong } from '../../stores/follows.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { findFollowedByWords, findUsersByWords } from '../../stores/user-words.js';
import { findUserCounts } from '../../stores/users.js';
import { createHashtagUses } from '../trends/hashtag-uses.js';
import { rankTrends } from '../trends/rank-trends.js';

/** The entries of an answer. */
const MAX_COMPLETIONS = 10;

/** The users whose names begin so that are ranked: those with the shortest names. */
const MAX_RANKED = 200;

/** Hashtags of older posts are not offered. */
const TAG_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/** A hashtag, without the sign, and how many posts have it. */
export interface TagCompletion {
  readonly tag: string;
  readonly posts: number;
}

export type CompletionService = ReturnType<typeof createCompletionService>;

/** Creates the service that completes the beginnings of usernames and hashtags (docs/api/pipit.md#completions). */
export function createCompletionService(deps: {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly relations: RelationCache;
}) {
  const { engine, relations } = deps;
  const readUses = createHashtagUses(deps, TAG_PERIOD_MS);
  return {
    /**
     * Returns users with a word of the name or username that begins so: first those whom the user follows, then those
     * with the most followers. Omits users with a block in either direction.
     */
    users: async (userId: UserId, beginning: string): Promise<UserId[]> => {
      const words = /^\w+$/.test(beginning) ? [beginning.toLowerCase()] : queryWords(beginning);
      const [followed, others] = await Promise.all([
        findFollowedByWords(engine, userId, words, MAX_RANKED),
        findUsersByWords(engine, words, MAX_RANKED),
      ]);
      const found = [...new Set([...followed, ...others])];
      const [{ blocks, blockedBy }, counts] = await Promise.all([
        relations.read(userId, found),
        findUserCounts(engine, found),
      ]);
      const isFollowed = new Set(followed);
      const rank = (id: UserId): number =>
        (isFollowed.has(id) ? 2 ** 40 : 0) + (counts.get(id)?.followers ?? 0);
      return found
        .filter((id) => !blocks.has(id) && !blockedBy.has(id))
        .sort((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1))
        .slice(0, 2 * MAX_COMPLETIONS);
    },
    /** Returns the hashtags of the last 30 days that begin so, those of the most users first. */
    tags: async (userId: UserId, beginning: string): Promise<TagCompletion[]> => {
      const start = beginning.toLowerCase();
      const uses = (await readUses()).filter(({ tag }) => tag.toLowerCase().startsWith(start));
      const hidden = [...new Set(uses.filter(({ isPublic }) => !isPublic).map(({ authorId }) => authorId))];
      const seen = new Set([userId, ...(await followedAmong(engine, userId, hidden))]);
      const visible = uses.filter(({ isPublic, authorId }) => isPublic || seen.has(authorId));
      return rankTrends(visible, MAX_COMPLETIONS).map(({ name, posts }) => ({ tag: name.slice(1), posts }));
    },
  };
}
