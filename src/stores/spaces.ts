import type { EdgeId, PostId, UserId } from '../core/ids.js';
import { titleTokens, type Space, type SpaceId, type SpaceState, type SpaceTopic } from '../core/space.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalNumber,
  asOptionalText,
  asPresentJson,
  asText,
  toJson,
  list,
  sql,
} from '../database/sql.js';
import { defineTable, deleteBy, listQuery, mapQuery } from '../database/table.js';
import { edgeList, edgeWriter } from './edges.js';

/** The JSON in the column `detail`; ids are strings. */
interface Detail {
  readonly hosts: readonly string[];
  readonly speakers: readonly string[];
  readonly invited: readonly string[];
  readonly topics: readonly SpaceTopic[];
}

type StoredSpace = Omit<Space, 'hostIds' | 'speakerIds' | 'invitedIds' | 'topics'> & {
  readonly detail: Detail;
};

const SPACES = defineTable<StoredSpace, SpaceId>('spaces', 'id', {
  id: ['id', asText],
  creatorId: ['creator_id', asId],
  title: ['title', asText],
  state: ['state', asText],
  lang: ['lang', asOptionalText],
  isTicketed: ['is_ticketed', asBoolean],
  createdAtMs: ['created_at', asNumber],
  updatedAtMs: ['updated_at', asNumber],
  scheduledStartMs: ['scheduled_start', asOptionalNumber],
  startedAtMs: ['started_at', asOptionalNumber],
  endedAtMs: ['ended_at', asOptionalNumber],
  participants: ['participants', asNumber],
  detail: ['detail', asPresentJson, toJson],
});

const overwrite = SPACES.overwriter('creatorId', 'createdAtMs');

function unpack({ detail: { hosts, speakers, invited, topics }, ...space }: StoredSpace): Space {
  return {
    ...space,
    hostIds: hosts.map(userId),
    speakerIds: speakers.map(userId),
    invitedIds: invited.map(userId),
    topics,
  };
}

function userId(text: string): UserId {
  return BigInt(text) as UserId;
}

function pack(space: Space): StoredSpace {
  return {
    ...space,
    detail: {
      hosts: space.hostIds.map(String),
      speakers: space.speakerIds.map(String),
      invited: space.invitedIds.map(String),
      topics: space.topics,
    },
  };
}

/** Returns the stored Spaces among `ids`, by id, without a visibility check. */
export async function findSpaces(db: Queryable, ids: readonly SpaceId[]): Promise<Map<SpaceId, Space>> {
  const found = await SPACES.findAmong(db, ids);
  return new Map([...found].map(([id, stored]) => [id, unpack(stored)]));
}

/** Returns the stored Space without a visibility check. */
export async function findSpace(db: Queryable, id: SpaceId): Promise<Space | undefined> {
  return (await findSpaces(db, [id])).get(id);
}

/** Returns up to `limit` Spaces with ids above `after`, ordered by id. */
export async function listSpaces(db: Queryable, after: SpaceId | '', limit: number): Promise<Space[]> {
  return (await SPACES.list(db, sql`id > ${after} ORDER BY id LIMIT ${limit}`)).map(unpack);
}

/** Returns the Spaces of these users that have not ended, in no order. */
export const listOpenSpaces = listQuery<SpaceId, [creatorIds: readonly UserId[]]>(
  asText,
  'SELECT space_id FROM created_spaces WHERE user_id IN ? AND is_open = 1',
);

/** Returns up to `limit` Spaces of all users that have not ended, in no order. */
export const listAllOpenSpaces = listQuery<SpaceId, [limit: number]>(
  asText,
  'SELECT space_id FROM created_spaces WHERE is_open = 1 LIMIT ?',
);

/** Returns up to `limit` Spaces of a user in any state. */
export const listCreatedSpaces = listQuery<SpaceId, [creatorId: UserId, limit: number]>(
  asText,
  'SELECT space_id FROM created_spaces WHERE user_id = ? LIMIT ?',
);

/** Returns, in no order, the Spaces that have not ended and whose title has all of these distinct tokens. */
export async function findSpacesByTokens(db: Queryable, tokens: readonly string[]): Promise<SpaceId[]> {
  if (tokens.length === 0) return [];
  const rows = await db.all(sql`
    SELECT space_id FROM space_tokens WHERE token IN ${list(tokens)}
    GROUP BY space_id HAVING COUNT(*) = ${tokens.length}`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

/** Stores a Space. Returns false and changes nothing if its id is taken. */
export async function insertSpace(tx: Tx, space: Space): Promise<boolean> {
  if (!(await SPACES.insertNew(tx, pack(space)))) return false;
  await tx.run(sql`
    INSERT INTO created_spaces (user_id, space_id, is_open)
    VALUES (${space.creatorId}, ${space.id}, ${space.state !== 'ended'})`);
  await indexTitle(tx, space);
  emitState(tx, space);
  return true;
}

/** Emits that a Space has started, or ended; nothing if a scheduled one is cancelled. */
function emitState(tx: Tx, { id: space, creatorId, state }: Space, before?: SpaceState): void {
  if (state === before) return;
  if (state === 'live') tx.emit({ kind: 'space-started', space, creatorId });
  if (state === 'ended' && before === 'live') tx.emit({ kind: 'space-ended', space, creatorId });
}

/** Overwrites a stored Space, which was in the state `before`. */
export async function updateSpace(tx: Tx, space: Space, before: SpaceState): Promise<void> {
  await overwrite(tx, space.id, pack(space));
  emitState(tx, space, before);
  await tx.run(sql`
    UPDATE created_spaces SET is_open = ${space.state !== 'ended'}
    WHERE user_id = ${space.creatorId} AND space_id = ${space.id}`);
  await tx.run(sql`DELETE FROM space_tokens WHERE space_id = ${space.id}`);
  await indexTitle(tx, space);
}

/** Indexes the title of a Space. Ended Spaces are not indexed. */
async function indexTitle(tx: Tx, { id, state, title }: Space): Promise<void> {
  if (state === 'ended') return;
  for (const token of titleTokens(title)) {
    await tx.run(sql`INSERT INTO space_tokens (token, space_id) VALUES (${token}, ${id})`);
  }
}

const deleteContents = deleteBy<SpaceId>('space_id', 'space_tokens', 'space_buyers', 'space_posts');

/** Deletes a Space with its tickets and shared posts. */
export async function deleteSpace(tx: Tx, creatorId: UserId, id: SpaceId): Promise<void> {
  await deleteContents(tx, id);
  await tx.run(sql`DELETE FROM created_spaces WHERE user_id = ${creatorId} AND space_id = ${id}`);
  await tx.run(sql`DELETE FROM spaces WHERE id = ${id}`);
}

/** Gives a user a ticket. Returns false if the user has one. */
export const insertSpaceBuyer = edgeWriter<SpaceId, UserId, [EdgeId]>([
  'space_buyers',
  'space_id',
  'user_id',
  'edge_id',
]).insert;

/** Deletes all tickets of a user. */
export const deleteTicketsOf = deleteBy<UserId>('user_id', 'space_buyers');

/** Counts the sold tickets of each Space; Spaces without any are left out. */
export const countSpaceBuyers = mapQuery<SpaceId, number, [readonly SpaceId[]]>(
  (row) => [asText<SpaceId>(row.space_id), asNumber(row.buyers)],
  'SELECT space_id, COUNT(*) AS buyers FROM space_buyers WHERE space_id IN ? GROUP BY space_id',
);

/** Shares a post in a Space. Returns false if it is already shared. */
export const insertSpacePost = edgeWriter<SpaceId, PostId, [EdgeId]>([
  'space_posts',
  'space_id',
  'post_id',
  'edge_id',
]).insert;

/** Lists the users who bought a ticket, newest first. */
export const listSpaceBuyers = edgeList<SpaceId, UserId>('space_buyers', 'space_id', 'user_id');

/** Lists the posts shared in a Space, newest first. */
export const listSpacePosts = edgeList<SpaceId, PostId>('space_posts', 'space_id', 'post_id');
