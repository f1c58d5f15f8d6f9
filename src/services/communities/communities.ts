import type { UserPrincipal } from '../../core/access.js';
import type { Community, CountedCommunity } from '../../core/community.js';
import { forbidden, invalidRequest } from '../../core/errors.js';
import type { CommunityId, EdgeId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import { queryTokens } from '../../core/space.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Queryable, Tx } from '../../database/engine.js';
import {
  deleteMember,
  findCommunities,
  insertCommunity,
  insertMember,
  isMember,
  listCommunitiesOf,
  searchCommunityIds,
} from '../../stores/communities.js';
import type { ServiceDeps } from '../service-deps.js';

export type CommunityService = ReturnType<typeof createCommunityService>;

/** Creates the service for communities (docs/api/communities.md). Operators create them and change their members. */
export function createCommunityService({ engine, ids }: Pick<ServiceDeps, 'engine' | 'ids'>) {
  return {
    find: async (id: CommunityId): Promise<CountedCommunity | undefined> =>
      (await findCommunities(engine, [id])).get(id),
    /** Returns the communities among `found`, in order. */
    findAll: async (found: readonly CommunityId[]): Promise<CountedCommunity[]> => {
      const stored = await findCommunities(engine, found);
      return found.flatMap((id) => stored.get(id) ?? []);
    },
    /** Lists the communities that have all words of the query, newest first. */
    search: (query: string, request: PageRequest): Promise<Page<CommunityId>> =>
      searchCommunityIds(engine, queryTokens(query), request),
    create: async (settings: Omit<Community, 'id' | 'createdAtMs'>): Promise<CountedCommunity> => {
      const id = ids.next<CommunityId>();
      const community = { ...settings, id, createdAtMs: timeOfId(id) ?? 0 };
      await engine.tx('create community', (tx) => insertCommunity(tx, community));
      return { ...community, members: 0 };
    },
    /** Adds a member. Returns false if the user is one. */
    join: (id: CommunityId, userId: UserId): Promise<boolean> =>
      engine.tx('join community', (tx) => insertMember(tx, id, userId, ids.next<EdgeId>())),
    /** Removes a member; the posts stay. Returns false if the user is none. */
    leave: (id: CommunityId, userId: UserId): Promise<boolean> =>
      engine.tx('leave community', (tx) => deleteMember(tx, id, userId)),
  };
}

/** Throws 'invalid-request' for an unknown community, and 'forbidden' unless the user is a member. */
export async function requireMember(
  db: Queryable,
  userId: UserPrincipal['userId'],
  communityId: string,
): Promise<void> {
  const id = BigInt(communityId) as CommunityId;
  if (!(await findCommunities(db, [id])).has(id)) {
    const message = `$.community_id: there is no community with id [${communityId}]`;
    throw invalidRequest('$.community_id', [communityId], message);
  }
  if (!(await isMember(db, id, userId))) throw forbidden('You are not a member of this community.');
}

/** Ends up to `limit` memberships of a user. Returns how many there were. */
export async function leaveCommunities(tx: Tx, userId: UserId, limit: number): Promise<number> {
  const found = await listCommunitiesOf(tx, userId, limit);
  for (const id of found) await deleteMember(tx, id, userId);
  return found.length;
}
