import type { Entities } from './entities.js';
import { parseId, type DmEventId, type UserId } from './ids.js';
import type { ReceivesDms } from './user.js';

/** What can happen in a conversation (docs/api/objects.md, `event_types`). */
export const DM_EVENT_TYPES = ['MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'] as const;
export type DmEventType = (typeof DM_EVENT_TYPES)[number];

declare const conversation: unique symbol;
/** `<smaller>-<larger>` of two users' ids, or the number of a group (docs/api/messages.md). */
export type ConversationId = string & { readonly [conversation]: true };

/** docs/api/requests.md#parameters. */
export const CONVERSATION_ID_PATTERN = /^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$/;

/** What an event carries that nothing is looked up by: kept as one JSON column. */
export interface DmEventDetail {
  /** Who joined or left. */
  readonly participantIds?: readonly string[];
  readonly mediaKeys?: readonly string[];
  /** The posts whose links the text holds. */
  readonly postIds?: readonly string[];
  readonly entities?: Entities;
}

/** Something that happened in a conversation. It never changes; who has taken it out of sight is kept elsewhere. */
export interface DmEvent {
  readonly id: DmEventId;
  readonly conversationId: ConversationId;
  readonly type: DmEventType;
  readonly createdAtMs: number;
  /** Who wrote, or who invited; absent where somebody left. */
  readonly senderId?: UserId;
  /** As written, not escaped; of messages only. */
  readonly text?: string;
  readonly detail: DmEventDetail;
}

/** A conversation as its id tells it. */
export interface NamedConversation {
  readonly id: ConversationId;
  /** The two who talk, the smaller id first; absent: a group. */
  readonly pair?: readonly [UserId, UserId];
}

/** The one conversation of two users alone, or of a user with oneself. */
export function pairConversation(one: UserId, other: UserId): NamedConversation & { id: ConversationId } {
  const pair: readonly [UserId, UserId] = one < other ? [one, other] : [other, one];
  return { id: pair.join('-') as ConversationId, pair };
}

/** The id of a group with this number. */
export function groupConversationId(number: bigint): ConversationId {
  return String(number) as ConversationId;
}

/** Reads a conversation's id; of a pair in either order. Undefined for what names none. */
export function readConversationId(text: string): NamedConversation | undefined {
  if (!CONVERSATION_ID_PATTERN.test(text)) return undefined;
  const [one, other] = text.split('-').map((part) => parseId<UserId>(part));
  if (one === undefined) return undefined;
  if (!text.includes('-')) return { id: groupConversationId(one) };
  return other === undefined ? undefined : pairConversation(one, other);
}

/** How the one who wants to write and the one who would receive it stand to each other. */
export interface MessagingRelation {
  readonly isSelf: boolean;
  /** Either blocks the other. */
  readonly isBlocked: boolean;
  /** The recipient follows the sender. */
  readonly isFollowed: boolean;
  /** The two have written to each other before. */
  readonly hasConversation: boolean;
}

/** The one rule for who may write to whom (docs/api/messages.md). */
export function mayMessage(
  recipient: { readonly receivesDms: ReceivesDms },
  relation: MessagingRelation,
): boolean {
  if (relation.isSelf) return true;
  if (relation.isBlocked) return false;
  return recipient.receivesDms === 'everyone' || relation.isFollowed || relation.hasConversation;
}
