import type { Community, CountedCommunity } from '../core/community.js';
import type { CommunityId, EdgeId, UserId } from '../core/ids.js';
import { isBackward, keysOf, pageOf, type Page, type PageRequest } from '../core/page.js';
import { titleTokens } from '../core/space.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asText, list, rawSql, sql } from '../database/sql.js';
import { defineTable, existsQuery, insertRows, listQuery } from '../database/table.js';
import { countTable } from './counts.js';
import { edgeWriter } from './edges.js';

const COMMUNITIES = defineTable<Community, CommunityId>('communities', 'id', {
  id: ['id', asId],
  name: ['name', asText],
  description: ['description', asText],
  joinPolicy: ['join_policy', asText],
  createdAtMs: ['created_at', asNumber],
});
const COUNTS = countTable<CommunityId, { readonly members: number }>('community_counts', 'community_id', {
  members: asNumber,
});

const insertWords = insertRows('INSERT INTO community_words (word, community_id)', 2);

/** Stores a community without members. Returns false and changes nothing if its id is taken. */
export async function insertCommunity(tx: Tx, community: Community): Promise<boolean> {
  if (!(await COMMUNITIES.insertNew(tx, community))) return false;
  await COUNTS.put(tx, new Map([[community.id, { members: 0 }]]));
  const words = titleTokens(`${community.name} ${community.description}`);
  await insertWords(
    tx,
    words.map((word) => [word, community.id]),
  );
  return true;
}

/** Returns the stored communities among `ids`, by id. */
export async function findCommunities(
  db: Queryable,
  ids: readonly CommunityId[],
): Promise<Map<CommunityId, CountedCommunity>> {
  const found = await COMMUNITIES.findAmong(db, ids);
  const counts = await COUNTS.findAmong(db, [...found.keys()]);
  return new Map([...found].map(([id, each]) => [id, { ...each, members: counts.get(id)?.members ?? 0 }]));
}

/** Returns up to `limit` ids of communities above `afterId` (0 to start), in order. */
export const pageCommunityIds = listQuery<CommunityId, [afterId: CommunityId, limit: number]>(
  asId,
  'SELECT id FROM communities WHERE id > ? ORDER BY id LIMIT ?',
);

/** Lists the communities whose name and description have all of these distinct words, newest first. */
export async function searchCommunityIds(
  db: Queryable,
  words: readonly string[],
  request: PageRequest,
): Promise<Page<CommunityId>> {
  const { above, upTo } = keysOf(request);
  const order = rawSql(isBackward(request) ? 'ASC' : 'DESC');
  if (words.length === 0) return pageOf([], request, (id: CommunityId) => id);
  const rows = await db.all(sql`
    SELECT community_id FROM community_words
    WHERE word IN ${list(words)} AND community_id > ${above} AND community_id <= ${upTo}
    GROUP BY community_id HAVING COUNT(*) = ${words.length}
    ORDER BY community_id ${order} LIMIT ${request.limit + 1}`);
  const ids = rows.map((row) => asId<CommunityId>(row.community_id));
  return pageOf(ids, request, (id) => id);
}

const MEMBERS = edgeWriter<CommunityId, UserId, [EdgeId]>([
  'community_members',
  'community_id',
  'user_id',
  'edge_id',
]);

/** Adds a member and counts it. Returns false if the user is one. */
export async function insertMember(
  tx: Tx,
  id: CommunityId,
  userId: UserId,
  edgeId: EdgeId,
): Promise<boolean> {
  if (!(await MEMBERS.insert(tx, id, userId, edgeId))) return false;
  await COUNTS.add(tx, new Map([[id, { members: 1 }]]));
  return true;
}

/** Removes a member. Returns false if the user is none. */
export async function deleteMember(tx: Tx, id: CommunityId, userId: UserId): Promise<boolean> {
  if (!(await MEMBERS.delete(tx, id, userId))) return false;
  await COUNTS.decrement(tx, id, 'members');
  return true;
}

export const isMember = existsQuery<[id: CommunityId, userId: UserId]>(
  'SELECT 1 AS found FROM community_members WHERE community_id = ? AND user_id = ?',
);

/** Returns up to `limit` communities of a user. */
export const listCommunitiesOf = listQuery<CommunityId, [userId: UserId, limit: number]>(
  asId,
  'SELECT community_id FROM community_members WHERE user_id = ? LIMIT ?',
);
