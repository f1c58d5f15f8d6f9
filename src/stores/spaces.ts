import type { EdgeId, PostId, UserId } from '../core/ids.js';
import { titleTokens, type Space, type SpaceId, type SpaceState, type SpaceTopic } from '../core/space.js';
import { asBoolean, asId, asNumber, asOptionalNumber, asOptionalText, asText } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

const COLUMNS = rawSql(`id, creator_id, title, state, lang, is_ticketed, created_at, updated_at,
  scheduled_start, started_at, ended_at, participants, detail`);

/** The JSON in the column `detail`; ids are strings. */
interface Detail {
  readonly hosts: readonly string[];
  readonly speakers: readonly string[];
  readonly invited: readonly string[];
  readonly topics: readonly SpaceTopic[];
}

function decodeSpace(row: Row): Space {
  const { hosts, speakers, invited, topics } = JSON.parse(asText(row.detail)) as Detail;
  return {
    id: asText(row.id) as SpaceId,
    creatorId: asId(row.creator_id),
    title: asText(row.title),
    state: asText(row.state) as SpaceState,
    lang: asOptionalText(row.lang),
    isTicketed: asBoolean(row.is_ticketed),
    createdAtMs: asNumber(row.created_at),
    updatedAtMs: asNumber(row.updated_at),
    scheduledStartMs: asOptionalNumber(row.scheduled_start),
    startedAtMs: asOptionalNumber(row.started_at),
    endedAtMs: asOptionalNumber(row.ended_at),
    participants: asNumber(row.participants),
    hostIds: hosts.map(userId),
    speakerIds: speakers.map(userId),
    invitedIds: invited.map(userId),
    topics,
  };
}

function userId(text: string): UserId {
  return BigInt(text) as UserId;
}

function detailOf(space: Space): string {
  const detail: Detail = {
    hosts: space.hostIds.map(String),
    speakers: space.speakerIds.map(String),
    invited: space.invitedIds.map(String),
    topics: space.topics,
  };
  return JSON.stringify(detail);
}

/** Returns the stored Spaces among `ids`, by id, without a visibility check. */
export async function findSpaces(db: Queryable, ids: readonly SpaceId[]): Promise<Map<SpaceId, Space>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT ${COLUMNS} FROM spaces WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asText(row.id) as SpaceId, decodeSpace(row)]));
}

/** Returns the stored Space without a visibility check. */
export async function findSpace(db: Queryable, id: SpaceId): Promise<Space | undefined> {
  return (await findSpaces(db, [id])).get(id);
}

/** Returns up to `limit` Spaces with ids above `after`, ordered by id. */
export async function listSpaces(db: Queryable, after: SpaceId | '', limit: number): Promise<Space[]> {
  const rows = await db.all(
    sql`SELECT ${COLUMNS} FROM spaces WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
  );
  return rows.map(decodeSpace);
}

/** Returns the Spaces of these users that have not ended, in no order. */
export async function listOpenSpaces(db: Queryable, creatorIds: readonly UserId[]): Promise<SpaceId[]> {
  if (creatorIds.length === 0) return [];
  const rows = await db.all(sql`
    SELECT space_id FROM created_spaces WHERE user_id IN ${list(creatorIds)} AND is_open = 1`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

/** Returns up to `limit` Spaces of a user in any state. */
export async function listCreatedSpaces(db: Queryable, creatorId: UserId, limit: number): Promise<SpaceId[]> {
  const rows = await db.all(sql`
    SELECT space_id FROM created_spaces WHERE user_id = ${creatorId} LIMIT ${limit}`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

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
  const inserted = await tx.run(sql`
    INSERT INTO spaces (${COLUMNS})
    VALUES (${space.id}, ${space.creatorId}, ${space.title}, ${space.state}, ${space.lang}, ${space.isTicketed},
      ${space.createdAtMs}, ${space.updatedAtMs}, ${space.scheduledStartMs}, ${space.startedAtMs},
      ${space.endedAtMs}, ${space.participants}, ${detailOf(space)})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO created_spaces (user_id, space_id, is_open)
    VALUES (${space.creatorId}, ${space.id}, ${space.state !== 'ended'})`);
  await indexTitle(tx, space);
  return true;
}

/** Overwrites a stored Space. */
export async function updateSpace(tx: Tx, space: Space): Promise<void> {
  await tx.run(sql`
    UPDATE spaces SET title = ${space.title}, state = ${space.state}, lang = ${space.lang},
      is_ticketed = ${space.isTicketed}, updated_at = ${space.updatedAtMs},
      scheduled_start = ${space.scheduledStartMs}, started_at = ${space.startedAtMs},
      ended_at = ${space.endedAtMs}, participants = ${space.participants}, detail = ${detailOf(space)}
    WHERE id = ${space.id}`);
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

/** Deletes a Space with its tickets and shared posts. */
export async function deleteSpace(tx: Tx, creatorId: UserId, id: SpaceId): Promise<void> {
  await tx.run(sql`DELETE FROM space_tokens WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM space_buyers WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM space_posts WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM created_spaces WHERE user_id = ${creatorId} AND space_id = ${id}`);
  await tx.run(sql`DELETE FROM spaces WHERE id = ${id}`);
}

/** Gives a user a ticket. Returns false if the user has one. */
export async function insertSpaceBuyer(
  tx: Tx,
  edge: { readonly spaceId: SpaceId; readonly userId: UserId; readonly edgeId: EdgeId },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO space_buyers (space_id, user_id, edge_id)
    VALUES (${edge.spaceId}, ${edge.userId}, ${edge.edgeId}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Deletes all tickets of a user. */
export async function deleteTicketsOf(tx: Tx, buyerId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM space_buyers WHERE user_id = ${buyerId}`);
}

/** Counts the sold tickets of each Space; Spaces without any are left out. */
export async function countSpaceBuyers(
  db: Queryable,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`
    SELECT space_id, COUNT(*) AS buyers FROM space_buyers WHERE space_id IN ${list(ids)} GROUP BY space_id`);
  return new Map(rows.map((row) => [asText(row.space_id) as SpaceId, asNumber(row.buyers)]));
}

/** Shares a post in a Space. Returns false if it is already shared. */
export async function insertSpacePost(
  tx: Tx,
  edge: { readonly spaceId: SpaceId; readonly postId: PostId; readonly edgeId: EdgeId },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO space_posts (space_id, post_id, edge_id)
    VALUES (${edge.spaceId}, ${edge.postId}, ${edge.edgeId}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Lists the users who bought a ticket, newest first. */
export const listSpaceBuyers = edgeList<SpaceId, UserId>('space_buyers', 'space_id', 'user_id');

/** Lists the posts shared in a Space, newest first. */
export const listSpacePosts = edgeList<SpaceId, PostId>('space_posts', 'space_id', 'post_id');
