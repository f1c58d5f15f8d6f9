import type { UserId } from '../../core/ids.js';
import { EVERY_KEY } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { listFollowed, requestedAmong } from '../../stores/follows.js';
import { listNewestPosts } from '../../stores/posts.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { findAccountStates, findUserCounts, listNewestUserIds } from '../../stores/users.js';

/** Bounds the reads: the newest follows of the user, and the newest follows of each of those. */
const FRIENDS = 100;
const FRIENDS_OF_FRIEND = 100;

/** The newest posts whose authors, and the newest accounts, that are candidates beside friends of friends. */
const NEWEST_POSTS = 300;
const NEWEST_USERS = 100;

export type SuggestionService = ReturnType<typeof createSuggestionService>;

/** Creates the service that suggests users to follow (docs/api/pipit.md#suggestions). */
export function createSuggestionService({
  engine,
  relations,
}: {
  readonly engine: Engine;
  readonly relations: RelationCache;
}) {
  /** Counts by how many friends of the user each user is followed. */
  const friendsOfFriends = async (userId: UserId): Promise<Map<UserId, number>> => {
    const { items } = await listFollowed(engine, userId, { limit: FRIENDS });
    const accounts = await findAccountStates(engine, items);
    const friends = items.filter((id) => accounts.get(id)?.suspended === false);
    const pages = await Promise.all(
      friends.map((id) => listFollowed(engine, id, { limit: FRIENDS_OF_FRIEND })),
    );
    const counts = new Map<UserId, number>();
    for (const page of pages) for (const id of page.items) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  };
  const active = async (): Promise<UserId[]> => {
    const posts = await listNewestPosts(engine, EVERY_KEY, NEWEST_POSTS);
    const newest = await listNewestUserIds(engine, NEWEST_USERS);
    return [...new Set([...posts.map(({ authorId }) => authorId), ...newest])];
  };
  return {
    /**
     * Returns up to `limit` users whom the user may want to follow: first those whom the most of the followed users
     * follow, then those with the most followers among recent authors and new accounts. Omits users whom the user
     * follows, has asked to follow, blocks or mutes, those who block the user, and suspended ones.
     */
    of: async (userId: UserId, limit: number): Promise<UserId[]> => {
      const [common, others] = await Promise.all([friendsOfFriends(userId), active()]);
      const found = [...new Set([...common.keys(), ...others])].filter((id) => id !== userId);
      const [related, requested, states, counts] = await Promise.all([
        relations.read(userId, found),
        requestedAmong(engine, userId, found),
        findAccountStates(engine, found),
        findUserCounts(engine, found),
      ]);
      const { follows, blocks, mutes, blockedBy } = related;
      const excluded = [follows, blocks, mutes, blockedBy, requested];
      const followersOf = (id: UserId): number => counts.get(id)?.followers ?? 0;
      return found
        .filter((id) => states.get(id)?.suspended === false && !excluded.some((ids) => ids.has(id)))
        .sort(
          (one, other) =>
            (common.get(other) ?? 0) - (common.get(one) ?? 0) ||
            followersOf(other) - followersOf(one) ||
            (one < other ? -1 : 1),
        )
        .slice(0, limit);
    },
  };
}
