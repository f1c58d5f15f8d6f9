import type { UserPrincipal } from '../../core/access.js';
import {
  groupConversationId,
  mayMessage,
  pairConversation,
  readConversationId,
  type ConversationId,
  type DmEvent,
} from '../../core/direct-message.js';
import { forbidden, invalidRequest, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { DmEventId, MediaId, UserId } from '../../core/ids.js';
import { timeOfId } from '../../core/snowflake.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { dmBlockedAmong, dmBlockersAmong } from '../../stores/dm-blocks.js';
import {
  findConversations,
  insertConversation,
  insertParticipant,
  isParticipant,
  lockConversation,
} from '../../stores/dm-conversations.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { followersAmong } from '../../stores/follows.js';
import { attachMedia } from '../../stores/media.js';
import { lockUsers } from '../../stores/locks.js';
import { findUsers } from '../../stores/users.js';
import { requireActive } from '../posts/action-rules.js';
import { addMembers } from './members.js';
import { writeMessage } from './write-message.js';
import type { ServiceDeps } from '../service-deps.js';

/** A message to send: text, media or both. The API layer has checked the lengths. */
export interface MessageInput {
  readonly text?: string;
  readonly mediaId?: MediaId;
}

export interface SendDeps extends Pick<ServiceDeps, 'ids' | 'clock'> {
  /** Scheme and host of links, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Sends a message to one user and creates the conversation when it does not exist. Of several concurrent first
 * messages, one creates the conversation; the others wait for its key or for `lockUsers`.
 */
export async function sendToUser(
  tx: Tx,
  deps: SendDeps,
  { userId: senderId }: UserPrincipal,
  recipientId: UserId,
  input: MessageInput,
): Promise<DmEvent> {
  await lockUsers(tx, [senderId, recipientId]);
  await requireActive(tx, senderId);
  await requireMayMessage(tx, senderId, [recipientId], 'participant_id');
  const { id } = pairConversation(senderId, recipientId);
  const eventId = deps.ids.next<DmEventId>();
  const isNew = await insertConversation(tx, { id, createdAtMs: timeOfId(eventId) ?? 0 });
  if (!isNew) await lockConversation(tx, id);
  // A participant of an existing conversation may have been deleted and restored.
  for (const userId of new Set([senderId, recipientId])) await insertParticipant(tx, id, userId);
  return send(tx, deps, { conversationId: id, eventId, senderId, input });
}

/** Sends to a conversation that the user is in. Throws 'resource-not-found' for any other. */
export async function sendToConversation(
  tx: Tx,
  deps: SendDeps,
  principal: UserPrincipal,
  name: string,
  input: MessageInput,
): Promise<DmEvent> {
  const { userId } = principal;
  const named = readConversationId(name);
  if (!named) throw noSuchConversation(name);
  const { id: conversationId, pair } = named;
  if (pair) {
    const other = otherOf(pair, userId);
    if (other === undefined) throw noSuchConversation(name);
    return sendToUser(tx, deps, principal, other, input);
  }
  await lockConversation(tx, conversationId);
  if (!(await isParticipant(tx, conversationId, userId))) throw noSuchConversation(name);
  await requireActive(tx, userId);
  return send(tx, deps, { conversationId, eventId: deps.ids.next(), senderId: userId, input });
}

/** Creates a new group of the user and the participants, with a first message. */
export async function createGroup(
  tx: Tx,
  deps: SendDeps,
  { userId: senderId }: UserPrincipal,
  participantIds: readonly UserId[],
  input: MessageInput,
): Promise<DmEvent> {
  const others = [...new Set(participantIds)].filter((id) => id !== senderId);
  if (others.length === 0) {
    const message = '$.participant_ids: must name somebody else';
    throw invalidRequest('$.participant_ids', participantIds.map(String), message);
  }
  await lockUsers(tx, [senderId, ...others]);
  await requireActive(tx, senderId);
  await requireMayMessage(tx, senderId, others, 'participant_ids');
  const number = deps.ids.next();
  const conversationId = groupConversationId(number);
  await insertConversation(tx, { id: conversationId, createdAtMs: timeOfId(number) ?? 0 });
  await insertParticipant(tx, conversationId, senderId);
  await addMembers(tx, deps, { conversationId, inviterId: senderId, userIds: others });
  return send(tx, deps, { conversationId, eventId: deps.ids.next(), senderId, input });
}

/** Returns the other user of a pair, or undefined when the user is not in the pair. */
export function otherOf([one, other]: readonly [UserId, UserId], userId: UserId): UserId | undefined {
  if (userId === one) return other;
  return userId === other ? one : undefined;
}

/** The error is the same for missing conversations and for those of others, so that it reveals nothing. */
export function noSuchConversation(value: string): PipitError {
  return resourceNotFound({ resourceType: 'dm_conversation', parameter: 'dm_conversation_id', value });
}

interface Sending {
  readonly conversationId: ConversationId;
  readonly eventId: DmEventId;
  readonly senderId: UserId;
  readonly input: MessageInput;
}

async function send(tx: Tx, { publicUrl, clock }: SendDeps, sending: Sending): Promise<DmEvent> {
  const { conversationId, eventId, senderId, input } = sending;
  const { text = '', mediaId } = input;
  const createdAtMs = timeOfId(eventId) ?? 0;
  if (mediaId !== undefined) {
    const claim = { id: mediaId, ownerId: senderId, attachTo: eventId, nowMs: clock() };
    if (!(await attachMedia(tx, claim))) {
      throw invalidRequest('attachments.media_id', [String(mediaId)], 'Your media IDs are invalid.');
    }
  }
  return writeMessage(tx, publicUrl, { id: eventId, conversationId, senderId, createdAtMs, text, mediaId });
}

/**
 * Throws 'resource-not-found' (naming `parameter`) when a recipient does not exist, and 'forbidden' when a recipient
 * does not accept messages from the sender (docs/api/messages.md, docs/api/errors.md#refused-actions).
 */
async function requireMayMessage(
  db: Queryable,
  senderId: UserId,
  recipientIds: readonly UserId[],
  parameter: string,
): Promise<void> {
  const users = await findUsers(db, recipientIds);
  const missing = recipientIds.find((id) => !users.has(id));
  if (missing !== undefined) {
    throw resourceNotFound({ resourceType: 'user', parameter, value: String(missing) });
  }
  const blocked = new Set<UserId>();
  for (const among of [blockedAmong, blockersAmong, dmBlockedAmong, dmBlockersAmong]) {
    for (const id of await among(db, senderId, recipientIds)) blocked.add(id);
  }
  const followers = await followersAmong(db, senderId, recipientIds);
  const pairOf = (id: UserId) => pairConversation(senderId, id).id;
  const conversations = await findConversations(db, recipientIds.map(pairOf));
  for (const user of users.values()) {
    const may = mayMessage(user, {
      isSelf: user.id === senderId,
      isBlocked: blocked.has(user.id),
      isFollowed: followers.has(user.id),
      hasConversation: conversations.has(pairOf(user.id)),
    });
    if (user.suspended || !may) throw forbidden('You do not have permission to DM one or more participants.');
  }
}
