import type { Entities } from './entities.js';
import { parseId, type DmEventId, type UserId } from './ids.js';
import type { ReceivesDms } from './user.js';

/** The kinds of events in a conversation (docs/api/objects.md, `event_types`). */
export const DM_EVENT_TYPES = ['MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'] as const;
export type DmEventType = (typeof DM_EVENT_TYPES)[number];

declare const conversation: unique symbol;
/** `<smaller>-<larger>` for two users' ids, or the number of a group (docs/api/messages.md). */
export type ConversationId = string & { readonly [conversation]: true };

/** docs/api/requests.md#parameters. */
export const CONVERSATION_ID_PATTERN = /^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$/;

/** The fields of an event without an index, stored in one JSON column. */
export interface DmEventDetail {
  /** The users who joined or left. */
  readonly participantIds?: readonly string[];
  readonly mediaKeys?: readonly string[];
  /** The posts linked in the text. */
  readonly postIds?: readonly string[];
  readonly entities?: Entities;
}

/** An event in a conversation. Events are immutable; deletions from inboxes are stored separately. */
export interface DmEvent {
  readonly id: DmEventId;
  readonly conversationId: ConversationId;
  readonly type: DmEventType;
  readonly createdAtMs: number;
  /** The author or inviter; absent if a user left. */
  readonly senderId?: UserId;
  /** As written, not escaped; messages only. */
  readonly text?: string;
  readonly detail: DmEventDetail;
}

/** What the id of a conversation says about it. */
export interface NamedConversation {
  readonly id: ConversationId;
  /** The two participants, smaller id first; absent for a group. */
  readonly pair?: readonly [UserId, UserId];
}

/** Returns the one-to-one conversation of two users, or of a user with themselves. */
export function pairConversation(one: UserId, other: UserId): NamedConversation & { id: ConversationId } {
  const pair: readonly [UserId, UserId] = one < other ? [one, other] : [other, one];
  return { id: pair.join('-') as ConversationId, pair };
}

/** Returns the conversation id of a group. */
export function groupConversationId(number: bigint): ConversationId {
  return String(number) as ConversationId;
}

/** Parses a conversation's id; a pair may be in either order. Returns undefined for other text. */
export function readConversationId(text: string): NamedConversation | undefined {
  if (!CONVERSATION_ID_PATTERN.test(text)) return undefined;
  const [one, other] = text.split('-').map((part) => parseId<UserId>(part));
  if (one === undefined) return undefined;
  if (!text.includes('-')) return { id: groupConversationId(one) };
  return other === undefined ? undefined : pairConversation(one, other);
}

/** The relation between the sender and the recipient of a message. */
export interface MessagingRelation {
  readonly isSelf: boolean;
  /** Either blocks the other. */
  readonly isBlocked: boolean;
  /** The recipient follows the sender. */
  readonly isFollowed: boolean;
  /** They have exchanged messages before. */
  readonly hasConversation: boolean;
}

/** Reports whether a user may send messages to another. This is the only such rule (docs/api/messages.md). */
export function mayMessage(
  recipient: { readonly receivesDms: ReceivesDms },
  relation: MessagingRelation,
): boolean {
  if (relation.isSelf) return true;
  if (relation.isBlocked) return false;
  return recipient.receivesDms === 'everyone' || relation.isFollowed || relation.hasConversation;
}
