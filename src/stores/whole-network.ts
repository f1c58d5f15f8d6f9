import type { ConversationId } from '../core/direct-message.js';
import type {
  AppId,
  CommunityId,
  DmEventId,
  EdgeId,
  ListId,
  MediaId,
  PollId,
  PostId,
  UserId,
} from '../core/ids.js';
import type { Permission } from '../core/access.js';
import type { Queryable } from '../database/engine.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalNumber,
  asOptionalText,
  asText,
  rawSql,
  sql,
} from '../database/sql.js';
import { countQuery, listQuery } from '../database/table.js';
import { listScopes } from './tokens.js';
import { grouped } from '../core/grouped.js';

/** Reads of whole tables, for exports of small networks. */

/** Tables of edges by the columns of both ends. */
const EDGES = {
  follows: ['user_id', 'target_id'],
  follow_requests: ['user_id', 'target_id'],
  blocks: ['user_id', 'target_id'],
  mutes: ['user_id', 'target_id'],
  dm_blocks: ['user_id', 'target_id'],
  likes: ['user_id', 'post_id'],
  bookmarks: ['user_id', 'post_id'],
  folder_bookmarks: ['folder_id', 'post_id'],
  list_members: ['list_id', 'user_id'],
  list_followers: ['list_id', 'user_id'],
  pinned_lists: ['list_id', 'user_id'],
  community_members: ['community_id', 'user_id'],
} as const;

interface Edge<From, To> {
  readonly from: From;
  readonly to: To;
  readonly id: EdgeId;
}

/** Returns all edges of one kind, oldest first. */
export async function listAllEdges<From extends bigint, To extends bigint>(
  db: Queryable,
  table: keyof typeof EDGES,
): Promise<Edge<From, To>[]> {
  const [from, to] = EDGES[table];
  const rows = await db.all(
    sql`SELECT ${rawSql(from)} AS start, ${rawSql(to)} AS target, edge_id FROM ${rawSql(table)} ORDER BY edge_id`,
  );
  return rows.map((row) => ({ from: asId(row['start']), to: asId(row['target']), id: asId(row['edge_id']) }));
}

export const countAllPosts = countQuery<[]>('posts');

export const listAllMediaIds = listQuery<MediaId, []>(asId, 'SELECT id FROM media ORDER BY id');

/** Returns the users who may use the media of others, by these media. */
export async function listAllMediaOwners(db: Queryable): Promise<Map<MediaId, UserId[]>> {
  const rows = await db.all(sql`SELECT media_id, user_id FROM media_owners ORDER BY media_id, user_id`);
  return grouped(rows.map((row) => [asId<MediaId>(row['media_id']), asId<UserId>(row['user_id'])]));
}

export const listAllListIds = listQuery<ListId, []>(asId, 'SELECT id FROM lists ORDER BY id');

export const listAllCommunityIds = listQuery<CommunityId, []>(asId, 'SELECT id FROM communities ORDER BY id');

export const listAllConversationIds = listQuery<ConversationId, []>(
  asText,
  'SELECT id FROM dm_conversations ORDER BY id',
);

/** An event with the users who see it. */
export interface SeenEvent {
  readonly eventId: DmEventId;
  /** Its place among the events of the inboxes. */
  readonly position: bigint;
  readonly userIds: ReadonlySet<UserId>;
}

/** Returns what is in inboxes, by conversation, in the order of the inboxes. */
export async function listAllInboxes(db: Queryable): Promise<Map<ConversationId, SeenEvent[]>> {
  const inboxes = new Map<ConversationId, Map<DmEventId, SeenEvent & { readonly userIds: Set<UserId> }>>();
  for (const row of await db.all(
    sql`SELECT conversation_id, event_id, position, user_id FROM dm_inbox ORDER BY position, event_id, user_id`,
  )) {
    const id = asText<ConversationId>(row['conversation_id']);
    const events = inboxes.get(id) ?? new Map();
    inboxes.set(id, events);
    const eventId = asId<DmEventId>(row['event_id']);
    const event = events.get(eventId) ?? { eventId, position: asId(row['position']), userIds: new Set() };
    events.set(eventId, event);
    event.userIds.add(asId<UserId>(row['user_id']));
  }
  return new Map([...inboxes].map(([id, events]) => [id, [...events.values()]]));
}

/** Returns the positions up to which users have read conversations. */
export async function listAllReadPositions(db: Queryable): Promise<Map<ConversationId, Map<UserId, bigint>>> {
  const reads = new Map<ConversationId, Map<UserId, bigint>>();
  for (const row of await db.all(sql`SELECT conversation_id, user_id, read_up_to FROM dm_threads`)) {
    const id = asText<ConversationId>(row['conversation_id']);
    const ofConversation = reads.get(id) ?? new Map<UserId, bigint>();
    reads.set(id, ofConversation.set(asId<UserId>(row['user_id']), asId(row['read_up_to'])));
  }
  return reads;
}

/** What happened to an account. */
export interface AccountRecord {
  readonly operatorSinceMs?: number;
  readonly stepsDismissedAtMs?: number;
  /** When the owner deactivated it, and whether an operator also suspended it. */
  readonly suspension?: { readonly reason: string; readonly atMs: number };
  readonly deactivation?: { readonly atMs: number; readonly isSuspended: boolean };
}

/** Returns the records of accounts that have one. */
export async function listAllAccountRecords(db: Queryable): Promise<Map<UserId, AccountRecord>> {
  const records = new Map<UserId, AccountRecord>();
  for (const row of await db.all(sql`SELECT user_id, since FROM operators`))
    records.set(asId(row['user_id']), { operatorSinceMs: asNumber(row['since']) });
  for (const row of await db.all(sql`SELECT user_id, dismissed_at FROM dismissed_first_steps`)) {
    const id = asId<UserId>(row['user_id']);
    records.set(id, { ...records.get(id), stepsDismissedAtMs: asNumber(row['dismissed_at']) });
  }
  for (const row of await db.all(sql`SELECT user_id, deactivated_at, suspended FROM deactivated_users`)) {
    const id = asId<UserId>(row['user_id']);
    const deactivation = { atMs: asNumber(row['deactivated_at']), isSuspended: asBoolean(row['suspended']) };
    records.set(id, { ...records.get(id), deactivation });
  }
  for (const row of await db.all(sql`SELECT user_id, reason, suspended_at FROM suspensions`)) {
    const id = asId<UserId>(row['user_id']);
    const suspension = { reason: asText(row['reason']), atMs: asNumber(row['suspended_at']) };
    records.set(id, { ...records.get(id), suspension });
  }
  return records;
}

/** Returns when the places of stored posts were removed (ms). */
export async function listAllScrubs(db: Queryable): Promise<Map<PostId, number>> {
  const rows = await db.all(sql`SELECT post_id, scrubbed_at FROM scrubbed_posts`);
  return new Map(rows.map((row) => [asId<PostId>(row['post_id']), asNumber(row['scrubbed_at'])]));
}

/** Returns the users who voted, by poll and number of the option. */
export async function listAllVotes(db: Queryable): Promise<Map<PollId, Map<number, UserId[]>>> {
  const votes = new Map<PollId, Map<number, UserId[]>>();
  for (const row of await db.all(
    sql`SELECT poll_id, option_number, user_id FROM poll_votes ORDER BY poll_id, user_id`,
  )) {
    const pollId: PollId = asId(row['poll_id']);
    const option = asNumber(row['option_number']);
    const ofPoll = votes.get(pollId) ?? new Map<number, UserId[]>();
    votes.set(pollId, ofPoll.set(option, [...(ofPoll.get(option) ?? []), asId<UserId>(row['user_id'])]));
  }
  return votes;
}

export const listAllHiddenReplies = listQuery<PostId, []>(asId, 'SELECT post_id FROM hidden_replies');

/** Returns all valid OAuth 2.0 user tokens: not the tokens themselves, but their hashes. */
export async function listAllUserTokens(db: Queryable, nowMs: number) {
  const rows = await db.all(sql`
    SELECT b.app_id, b.user_id, b.token_hash, b.scopes, b.permission, b.expires_at, r.token_hash AS refresh_hash
    FROM bearer_tokens b
    LEFT JOIN refresh_tokens r ON r.access_token_hash = b.token_hash AND r.revoked_at IS NULL
    WHERE b.user_id IS NOT NULL AND b.revoked_at IS NULL AND (b.expires_at IS NULL OR b.expires_at > ${nowMs})
    ORDER BY b.app_id, b.user_id, b.token_hash`);
  return rows.map((row) => ({
    appId: asId<AppId>(row['app_id']),
    userId: asId<UserId>(row['user_id']),
    accessTokenHash: asText(row['token_hash']),
    /** The hash of the refresh token that replaces it. */
    refreshTokenHash: asOptionalText(row['refresh_hash']),
    scopes: listScopes(row['scopes']),
    /** Undefined for a token that follows its app. */
    permission: asOptionalText<Permission>(row['permission']),
    expiresAtMs: asOptionalNumber(row['expires_at']),
  }));
}
