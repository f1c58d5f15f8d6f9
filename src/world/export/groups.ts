import type { CommunityId, ListId, UserId } from '../../core/ids.js';
import type { Space } from '../../core/space.js';
import type { Queryable } from '../../database/engine.js';
import { findCommunities } from '../../stores/communities.js';
import { findLists } from '../../stores/lists.js';
import { listSpaceBuyers, listSpacePosts, listSpaces } from '../../stores/spaces.js';
import { listAllCommunityIds, listAllEdges, listAllListIds } from '../../stores/whole-network.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';
import { readAll } from './read-all.js';

type PeopleOf = 'list_members' | 'list_followers' | 'pinned_lists' | 'community_members';

/** The people of one group, oldest first, and the ids of their ties if the order of their groups needs these. */
interface People {
  readonly names?: readonly string[];
  readonly ids?: readonly string[];
}

/** Returns the people of one kind by the id of their group. */
async function peopleBy<Id extends bigint>(
  db: Queryable,
  names: Names,
  kind: PeopleOf,
): Promise<(id: Id) => People> {
  const edges = await listAllEdges<Id, UserId>(db, kind);
  const people = new Map<Id, { names: string[]; ids: string[] }>();
  for (const { from, to, id } of edges) {
    const name = names.find(to);
    if (name === undefined) continue;
    const ofGroup = people.get(from) ?? { names: [], ids: [] };
    people.set(from, ofGroup);
    ofGroup.names.push(name);
    ofGroup.ids.push(String(id));
  }
  const needsIds = !areInOrderOfGroups(edges);
  return (id) => ({ names: people.get(id)?.names, ids: needsIds ? people.get(id)?.ids : undefined });
}

/** Reports whether each user came into the groups in the order of their ids, which is that of loading. */
function areInOrderOfGroups(edges: readonly { readonly from: bigint; readonly to: UserId }[]): boolean {
  const last = new Map<UserId, bigint>();
  return edges.every(({ from, to }) => {
    const isLater = (last.get(to) ?? -1n) <= from;
    last.set(to, from);
    return isLater;
  });
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
        members: members(id).names,
        followers: followers(id).names,
        pinned_by: pins(id).names,
        member_ids: members(id).ids,
        follower_ids: followers(id).ids,
        pin_ids: pins(id).ids,
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
        members: members(id).names,
      }),
    ];
  });
}

/** Returns the Spaces with the people and posts in them. */
export async function exportSpaces(
  db: Queryable,
  names: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const space of await readAll<Space>((last, limit) => listSpaces(db, last?.id ?? '', limit))) {
    const creator = names.find(space.creatorId);
    if (creator !== undefined) entries.push(await entryOfSpace(db, space, creator, names, hasPost));
  }
  return entries;
}

/** As many as a small network has. */
const MAX_TIES = 10_000;

/** Returns the entry of a Space; who bought a ticket and what was shared are in it oldest first. */
async function entryOfSpace(
  db: Queryable,
  space: Space,
  creator: string,
  names: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry> {
  const time = (timeMs: number | undefined) => (timeMs === undefined ? undefined : worldTimeOf(timeMs));
  const buyers = await listSpaceBuyers(db, space.id, { limit: MAX_TIES });
  const posts = await listSpacePosts(db, space.id, { limit: MAX_TIES });
  return entryOf({
    id: space.id,
    creator,
    title: space.title,
    state: space.state,
    created_at: worldTimeOf(space.createdAtMs),
    updated_at: worldTimeOf(space.updatedAtMs),
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
    buyers: someOf(names.findAll(buyers.items.toReversed())),
    posts: someOf(posts.items.toReversed().filter(hasPost).map(String)),
  });
}
