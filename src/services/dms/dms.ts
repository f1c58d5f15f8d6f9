import type { UserPrincipal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import {
  DM_EVENT_TYPES,
  pairConversation,
  readConversationId,
  type DmEvent,
  type DmEventType,
  type NamedConversation,
} from '../../core/direct-message.js';
import { resourceNotFound } from '../../core/errors.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type Page, type PageRequest } from '../../core/page.js';
import { firstIdAt } from '../../core/snowflake.js';
import { isParticipant } from '../../stores/dm-conversations.js';
import type { DmEventRef } from '../../stores/dm-events.js';
import { findInInbox, listInbox } from '../../stores/dm-inbox.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';
import { forgetEvents } from './forget-events.js';
import {
  createGroup,
  noSuchConversation,
  otherOf,
  sendToConversation,
  sendToUser,
  type MessageInput,
  type SendDeps,
} from './send-message.js';

/** How far back the events of all conversations together can be read (docs/api/messages.md). */
const READABLE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Direct messages (docs/api/messages.md; docs/api/messages.md). Each change is one durable transaction that relies
 * on statements alone: who begins a conversation holds `lockUsers` of all concerned, who goes on with one
 * `lockConversation`, and media are taken by one statement.
 */
export interface DmService {
  /**
   * Sends to one user. Throws 'resource-not-found' for an unknown one, 'forbidden' for one who receives nothing from the
   * sender, 'invalid-request' for media that cannot be sent.
   */
  sendToUser(principal: UserPrincipal, recipientId: UserId, input: MessageInput): Promise<DmEvent>;
  /**
   * Sends to a conversation by its id; the one of the user and another may be new. Throws as `sendToUser`, and
   * 'resource-not-found' for a conversation that the user is not in.
   */
  sendToConversation(principal: UserPrincipal, name: string, input: MessageInput): Promise<DmEvent>;
  /** Begins a group, every time a new one. Throws as `sendToUser` does, and when nobody else is named. */
  createGroup(
    principal: UserPrincipal,
    participantIds: readonly UserId[],
    input: MessageInput,
  ): Promise<DmEvent>;
  /** What happened in the user's conversations in the last 30 days. No types: all of them. */
  listEvents(userId: UserId, types: EventTypes, request: PageRequest): Promise<Page<DmEventRef>>;
  /** What happened in one of them. Throws 'resource-not-found' for a conversation that the user is not in. */
  listConversation(
    userId: UserId,
    name: string,
    types: EventTypes,
    request: PageRequest,
  ): Promise<Page<DmEventRef>>;
  /** What happened between two users alone. Throws 'resource-not-found' when there is no such user. */
  listConversationWith(
    userId: UserId,
    otherId: UserId,
    types: EventTypes,
    request: PageRequest,
  ): Promise<Page<DmEventRef>>;
  /**
   * Takes an event out of the user's own sight; it is gone when nobody else sees it. Throws 'resource-not-found' for one
   * that the user does not see.
   */
  deleteEvent(principal: UserPrincipal, eventId: DmEventId): Promise<void>;
}

type EventTypes = ReadonlySet<DmEventType>;

export interface DmDeps extends SendDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

export function createDmService(deps: DmDeps): DmService {
  const { engine, clock } = deps;
  return {
    sendToUser: (principal, recipientId, input) =>
      engine.tx(
        'send message',
        (tx) => sendToUser(tx, deps, principal, recipientId, input),
        'read-committed',
      ),
    sendToConversation: (principal, name, input) =>
      engine.tx(
        'send message',
        (tx) => sendToConversation(tx, deps, principal, name, input),
        'read-committed',
      ),
    createGroup: (principal, participantIds, input) =>
      engine.tx(
        'begin group',
        (tx) => createGroup(tx, deps, principal, participantIds, input),
        'read-committed',
      ),
    listEvents: (userId, types, request) => {
      const window = { ...EVERY_KEY, above: firstIdAt(clock() - READABLE_MS) - 1n };
      return listInbox(engine, { userId, types: listed(types), window }, request);
    },
    listConversation: async (userId, name, types, request) => {
      const named = readConversationId(name);
      if (!named || !(await mayRead(engine, userId, named))) throw noSuchConversation(name);
      return listInbox(engine, { userId, conversationId: named.id, types: listed(types) }, request);
    },
    listConversationWith: async (userId, otherId, types, request) => {
      const named = pairConversation(userId, otherId);
      if (!(await mayRead(engine, userId, named))) {
        throw resourceNotFound({
          resourceType: 'user',
          parameter: 'participant_id',
          value: String(otherId),
        });
      }
      return listInbox(engine, { userId, conversationId: named.id, types: listed(types) }, request);
    },
    deleteEvent: async ({ userId }, eventId) => {
      const taken = await engine.tx(
        'delete event',
        (tx) => deleteEvent(tx, userId, eventId),
        'read-committed',
      );
      if (taken > 0) return;
      throw resourceNotFound({ resourceType: 'dm_event', parameter: 'event_id', value: String(eventId) });
    },
  };
}

function listed(types: EventTypes): readonly DmEventType[] {
  return types.size > 0 ? [...types] : DM_EVENT_TYPES;
}

async function deleteEvent(tx: Tx, userId: UserId, eventId: DmEventId): Promise<number> {
  const ref = await findInInbox(tx, userId, eventId);
  return ref ? forgetEvents(tx, userId, ref.conversationId, [eventId]) : 0;
}

/**
 * Who is in a conversation reads it. That of two users is there as soon as both are, with or without messages, and
 * stays readable to one when the other's account is gone.
 */
async function mayRead(engine: Engine, userId: UserId, { id, pair }: NamedConversation): Promise<boolean> {
  if (await isParticipant(engine, id, userId)) return true;
  const other = pair && otherOf(pair, userId);
  return other !== undefined && (await findAccountStates(engine, [other])).has(other);
}
