import { queryWords } from '../../core/search-text/user-words.js';
import type { UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { User, UserCounts } from '../../core/user.js';
import type { Engine } from '../../database/engine.js';
import { findUsersByWords } from '../../stores/user-words.js';
import { findUserCounts, findUsers } from '../../stores/users.js';

/** The most users that one query ranks. A query that matches more finds those with the shortest words. */
const MAX_RANKED = 1_000;

/** Above every number of followers: a user whose username is the query comes first. */
const NAMED = 1n << 40n;

interface Ranked {
  readonly id: UserId;
  readonly rank: bigint;
}

export type UserSearchService = ReturnType<typeof createUserSearch>;

/**
 * Creates the search of users by the beginnings of words of their names and usernames: first the user whose username
 * is the query, then by followers (docs/api/people.md#search). Suspended users are left out.
 */
export function createUserSearch({ engine }: { readonly engine: Engine }) {
  return async (query: string, { limit, cursor }: PageRequest): Promise<Page<UserId>> => {
    const found = await rankedUsers(engine, query);
    const [afterId] = cursor?.extra ?? [];
    const start = cursor && afterId !== undefined ? { id: afterId, rank: cursor.position } : undefined;
    const rest = start ? found.filter((user) => byRank(start, user) < 0) : found;
    const items = rest.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(({ id }) => id),
      next:
        last && rest.length > limit
          ? { direction: 'next', position: last.rank, extra: [last.id] }
          : undefined,
    };
  };
}

async function rankedUsers(engine: Engine, query: string): Promise<Ranked[]> {
  const ids = await findUsersByWords(engine, queryWords(query), MAX_RANKED);
  const [users, counts] = await Promise.all([findUsers(engine, ids), findUserCounts(engine, ids)]);
  const named = query.trim().toLowerCase();
  return [...users.values()]
    .filter(({ suspended }) => !suspended)
    .map((user) => ({ id: user.id, rank: rankOf(user, counts.get(user.id), named) }))
    .sort(byRank);
}

function rankOf({ username }: User, counts: UserCounts | undefined, named: string): bigint {
  const followers = BigInt(counts?.followers ?? 0);
  return username.toLowerCase() === named ? NAMED + followers : followers;
}

/** Orders by rank, highest first, and then by id, oldest account first. */
function byRank(one: { readonly id: bigint; readonly rank: bigint }, other: Ranked): number {
  if (one.rank !== other.rank) return one.rank > other.rank ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}
