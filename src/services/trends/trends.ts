import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { followedAmong } from '../../stores/follows.js';
import { createHashtagUses } from './hashtag-uses.js';
import { rankTrends, type Trend } from './rank-trends.js';

/** The period in which uses count. */
const PERIOD_MS = 24 * 60 * 60 * 1000;

export type TrendService = ReturnType<typeof createTrendService>;

/** Creates the service for trends: the hashtags of the last 24 hours (docs/api/search.md#trends). */
export function createTrendService(deps: { readonly engine: Engine; readonly clock: Clock }) {
  const readUses = createHashtagUses(deps, PERIOD_MS);
  return {
    /** Returns the trends of all posts that everybody may read. */
    ofAll: async (limit: number): Promise<Trend[]> =>
      rankTrends(
        (await readUses()).filter(({ isPublic }) => isPublic),
        limit,
      ),
    /** Returns the trends of the posts of the user and of followed users. */
    ofUser: async (userId: UserId, limit: number): Promise<Trend[]> => {
      const uses = await readUses();
      const authors = [...new Set(uses.map(({ authorId }) => authorId))];
      const followed = await followedAmong(deps.engine, userId, authors);
      return rankTrends(
        uses.filter(({ authorId }) => authorId === userId || followed.has(authorId)),
        limit,
      );
    },
  };
}
