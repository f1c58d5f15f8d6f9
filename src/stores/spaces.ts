import type { EdgeId, PostId, UserId } from '../core/ids.js';
import { titleTokens, type Space, type SpaceId, type SpaceState, type SpaceTopic } from '../core/space.js';
import { asBoolean, asId, asNumber, asOptionalNumber, asOptionalText, asText } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

const COLUMNS = rawSql(`id, creator_id, title, state, lang, is_ticketed, created_at, updated_at,
  scheduled_start, started_at, ended_at, participants, detail`);

/** The column `detail`; ids as texts. */
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

/** The stored Spaces among `ids`, by id, whoever may see them. */
export async function findSpaces(db: Queryable, ids: readonly SpaceId[]): Promise<Map<SpaceId, Space>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT ${COLUMNS} FROM spaces WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asText(row.id) as SpaceId, decodeSpace(row)]));
}

/** The stored Space, whoever may see it. */
export async function findSpace(db: Queryable, id: SpaceId): Promise<Space | undefined> {
  return (await findSpaces(db, [id])).get(id);
}

/** Every Space, by id; `after` is the last of the page before. */
export async function listSpaces(db: Queryable, after: SpaceId | '', limit: number): Promise<Space[]> {
  const rows = await db.all(
    sql`SELECT ${COLUMNS} FROM spaces WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
  );
  return rows.map(decodeSpace);
}

/** The ids of the Spaces of these users that have not ended, in no order. */
export async function listOpenSpaces(db: Queryable, creatorIds: readonly UserId[]): Promise<SpaceId[]> {
  if (creatorIds.length === 0) return [];
  const rows = await db.all(sql`
    SELECT space_id FROM created_spaces WHERE user_id IN ${list(creatorIds)} AND is_open = 1`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

/** Up to `limit` of the Spaces of a user, whatever their state. */
export async function listCreatedSpaces(db: Queryable, creatorId: UserId, limit: number): Promise<SpaceId[]> {
  const rows = await db.all(sql`
    SELECT space_id FROM created_spaces WHERE user_id = ${creatorId} LIMIT ${limit}`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

/** The Spaces that have not ended and whose title has all of these tokens, which are distinct, in no order. */
export async function findSpacesByTokens(db: Queryable, tokens: readonly string[]): Promise<SpaceId[]> {
  if (tokens.length === 0) return [];
  const rows = await db.all(sql`
    SELECT space_id FROM space_tokens WHERE token IN ${list(tokens)}
    GROUP BY space_id HAVING COUNT(*) = ${tokens.length}`);
  return rows.map((row) => asText(row.space_id) as SpaceId);
}

/** Stores a Space; false, changing nothing, when its id is taken. */
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

/** Stores what has changed of a Space that is stored. */
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

/** What has ended is not found by its title. */
async function indexTitle(tx: Tx, { id, state, title }: Space): Promise<void> {
  if (state === 'ended') return;
  for (const token of titleTokens(title)) {
    await tx.run(sql`INSERT INTO space_tokens (token, space_id) VALUES (${token}, ${id})`);
  }
}

/** Removes a Space with its tickets and shares. */
export async function deleteSpace(tx: Tx, creatorId: UserId, id: SpaceId): Promise<void> {
  await tx.run(sql`DELETE FROM space_tokens WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM space_buyers WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM space_posts WHERE space_id = ${id}`);
  await tx.run(sql`DELETE FROM created_spaces WHERE user_id = ${creatorId} AND space_id = ${id}`);
  await tx.run(sql`DELETE FROM spaces WHERE id = ${id}`);
}

/** Gives a user a ticket; false when there is one already. */
export async function insertSpaceBuyer(
  tx: Tx,
  edge: { readonly spaceId: SpaceId; readonly userId: UserId; readonly edgeId: EdgeId },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO space_buyers (space_id, user_id, edge_id)
    VALUES (${edge.spaceId}, ${edge.userId}, ${edge.edgeId}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Takes all tickets of a user away. */
export async function deleteTicketsOf(tx: Tx, buyerId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM space_buyers WHERE user_id = ${buyerId}`);
}

/** How many tickets of each of these Spaces were sold; those without any are left out. */
export async function countSpaceBuyers(
  db: Queryable,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`
    SELECT space_id, COUNT(*) AS buyers FROM space_buyers WHERE space_id IN ${list(ids)} GROUP BY space_id`);
  return new Map(rows.map((row) => [asText(row.space_id) as SpaceId, asNumber(row.buyers)]));
}

/** Shares a post in a Space; false when it is there already. */
export async function insertSpacePost(
  tx: Tx,
  edge: { readonly spaceId: SpaceId; readonly postId: PostId; readonly edgeId: EdgeId },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO space_posts (space_id, post_id, edge_id)
    VALUES (${edge.spaceId}, ${edge.postId}, ${edge.edgeId}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Who bought a ticket, the last first. */
export const listSpaceBuyers = edgeList<SpaceId, UserId>('space_buyers', 'space_id', 'user_id');

/** The posts that were shared in a Space, the last first. */
export const listSpacePosts = edgeList<SpaceId, PostId>('space_posts', 'space_id', 'post_id');
