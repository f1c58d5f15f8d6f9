import type { CommunityId, ListId, PostId, UserId } from '../../core/ids.js';
import type { Space, SpaceId } from '../../core/space.js';
import type { Queryable } from '../../database/engine.js';
import { findCommunities } from '../../stores/communities.js';
import { findLists } from '../../stores/lists.js';
import { listSpaceBuyers, listSpacePosts, listSpaces } from '../../stores/spaces.js';
import { listAllCommunityIds, listAllEdges, listAllListIds } from '../../stores/whole-network.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

type PeopleOf = 'list_members' | 'list_followers' | 'pinned_lists' | 'community_members';

/** Returns the usernames of one kind of people by the id of their group, oldest first. */
async function peopleBy<Id extends bigint>(
  db: Queryable,
  names: Names,
  kind: PeopleOf,
): Promise<(id: Id) => readonly string[] | undefined> {
  const people = new Map<Id, string[]>();
  for (const { from, to } of await listAllEdges<Id, UserId>(db, kind)) {
    const name = names.find(to);
    if (name !== undefined) people.set(from, [...(people.get(from) ?? []), name]);
  }
  return (id) => people.get(id);
}

/** Returns the Lists with their members and followers. */
export async function exportLists(db: Queryable, names: Names): Promise<Entry[]> {
  const ids = await listAllListIds(db);
  const lists = await findLists(db, ids);
  const members = await peopleBy<ListId>(db, names, 'list_members');
  const followers = await peopleBy<ListId>(db, names, 'list_followers');
  const pins = await peopleBy<ListId>(db, names, 'pinned_lists');
  return ids.flatMap((id) => {
    const list = lists.get(id);
    const owner = list && names.find(list.ownerId);
    if (list === undefined || owner === undefined) return [];
    return [
      entryOf({
        id: String(id),
        owner,
        name: list.name,
        description: unless('', list.description),
        private: unless(false, list.private),
        created_at: timeBeside(id, list.createdAtMs),
        members: members(id),
        followers: followers(id),
        pinned_by: pins(id),
      }),
    ];
  });
}

/** Returns the communities with their members. */
export async function exportCommunities(db: Queryable, names: Names): Promise<Entry[]> {
  const ids = await listAllCommunityIds(db);
  const communities = await findCommunities(db, ids);
  const members = await peopleBy<CommunityId>(db, names, 'community_members');
  return ids.flatMap((id) => {
    const community = communities.get(id);
    if (community === undefined) return [];
    return [
      entryOf({
        id: String(id),
        name: community.name,
        description: unless('', community.description),
        join_policy: unless('Open', community.joinPolicy),
        created_at: timeBeside(id, community.createdAtMs),
        members: members(id),
      }),
    ];
  });
}

const PAGE = 1_000;

/** Returns the Spaces with the people and posts in them. */
export async function exportSpaces(
  db: Queryable,
  names: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: SpaceId | '' = ''; ;) {
    const page: Space[] = await listSpaces(db, after, PAGE);
    for (const space of page) {
      const creator = names.find(space.creatorId);
      const { buyers, posts } = await tiesOf(db, space.id);
      if (creator === undefined) continue;
      const shared = someOf(posts.filter(hasPost).map(String));
      entries.push(
        entryOfSpace(space, { creator, names, buyers: someOf(names.findAll(buyers)), posts: shared }),
      );
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return entries;
    after = last.id;
  }
}

/** Returns who bought a ticket and what was shared, oldest first. */
async function tiesOf(db: Queryable, id: SpaceId): Promise<{ buyers: UserId[]; posts: PostId[] }> {
  const all = { limit: MAX_TIES };
  const [buyers, posts] = [await listSpaceBuyers(db, id, all), await listSpacePosts(db, id, all)];
  return { buyers: [...buyers.items].reverse(), posts: [...posts.items].reverse() };
}

/** As many as a small network has. */
const MAX_TIES = 10_000;

interface SpaceTies {
  readonly creator: string;
  readonly names: Names;
  readonly buyers: readonly string[] | undefined;
  readonly posts: readonly string[] | undefined;
}

function entryOfSpace(space: Space, { creator, names, buyers, posts }: SpaceTies): Entry {
  const time = (timeMs: number | undefined) => (timeMs === undefined ? undefined : worldTimeOf(timeMs));
  return entryOf({
    id: space.id,
    creator,
    title: space.title,
    state: space.state,
    created_at: worldTimeOf(space.createdAtMs),
    scheduled_start: time(space.scheduledStartMs),
    started_at: time(space.startedAtMs),
    ended_at: time(space.endedAtMs),
    lang: space.lang,
    is_ticketed: space.isTicketed,
    hosts: names.findAll(space.hostIds),
    speakers: someOf(names.findAll(space.speakerIds)),
    invited: someOf(names.findAll(space.invitedIds)),
    participant_count: space.participants,
    topics: someOf(space.topics),
    buyers,
    posts,
  });
}
