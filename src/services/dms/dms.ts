import type { UserPrincipal } from '../../core/access.js';
import {
  DM_EVENT_TYPES,
  pairConversation,
  readConversationId,
  type DmEventType,
  type NamedConversation,
} from '../../core/direct-message.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { DmEventId, EdgeId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type PageRequest } from '../../core/page.js';
import type { Media } from '../../core/post.js';
import { firstIdAt } from '../../core/snowflake.js';
import { deleteDmBlock, insertDmBlock } from '../../stores/dm-blocks.js';
import { lockUsers } from '../../stores/locks.js';
import { isParticipant } from '../../stores/dm-conversations.js';
import { findInInbox, listInbox } from '../../stores/dm-inbox.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';
import { findMessageMedia } from './message-media.js';
import { removeEvents } from './members.js';
import {
  createGroup,
  noSuchConversation,
  otherOf,
  sendToConversation,
  sendToUser,
  type MessageInput,
  type SendDeps,
} from './send-message.js';
import { createThreads, noSuchEvent } from './threads.js';
import type { ServiceDeps } from '../service-deps.js';

/** The age up to which events are listed across all conversations (docs/api/messages.md). */
const READABLE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Direct messages (docs/api/messages.md). Each change is one transaction. `lockUsers` serializes the start of
 * conversations and `lockConversation` later changes, so read-committed isolation suffices.
 */
export type DmService = ReturnType<typeof createDmService>;

type EventTypes = ReadonlySet<DmEventType>;

type DmDeps = SendDeps & Pick<ServiceDeps, 'engine'>;

export function createDmService(deps: DmDeps) {
  const { engine, clock } = deps;
  const change = <T>(name: string, body: (tx: Tx) => Promise<T>) => engine.tx(name, body, 'read-committed');
  return {
    /**
     * Sends a message to one user. Throws 'resource-not-found' for an unknown user, 'forbidden' when the recipient does
     * not accept messages from the sender, and 'invalid-request' for unusable media.
     */
    sendToUser: (principal: UserPrincipal, recipientId: UserId, input: MessageInput) =>
      change('send message', (tx) => sendToUser(tx, deps, principal, recipientId, input)),
    /**
     * Sends a message to a conversation. The conversation of the user and one other user is created on demand. Throws
     * as `sendToUser` does, and 'resource-not-found' for a conversation that the user is not in.
     */
    sendToConversation: (principal: UserPrincipal, name: string, input: MessageInput) =>
      change('send message', (tx) => sendToConversation(tx, deps, principal, name, input)),
    /** Creates a new group. Throws as `sendToUser` does, and when no other participant is given. */
    createGroup: (principal: UserPrincipal, participantIds: readonly UserId[], input: MessageInput) =>
      change('create group', (tx) => createGroup(tx, deps, principal, participantIds, input)),
    /**
     * Blocks messages from and to a user, also in their existing conversation. Idempotent. Throws 'resource-not-found'
     * for an unknown user and 'forbidden' for oneself.
     */
    block: async ({ userId }: UserPrincipal, targetId: UserId) => {
      if (userId === targetId) throw forbidden('You cannot block your own messages.');
      await change('block messages', async (tx) => {
        await lockUsers(tx, [userId, targetId]);
        if ((await findAccountStates(tx, [targetId])).size === 0) {
          throw resourceNotFound({ resourceType: 'user', parameter: 'id', value: String(targetId) });
        }
        await insertDmBlock(tx, userId, targetId, deps.ids.next<EdgeId>());
      });
    },
    unblock: async ({ userId }: UserPrincipal, targetId: UserId) => {
      await change('unblock messages', (tx) => deleteDmBlock(tx, userId, targetId));
    },
    /** Lists the events of the user's conversations of the last 30 days. An empty set of types means all types. */
    listEvents: (userId: UserId, types: EventTypes, request: PageRequest) => {
      const window = { ...EVERY_KEY, above: firstIdAt(clock() - READABLE_MS) - 1n };
      return listInbox(engine, { userId, types: listed(types), window }, request);
    },
    /** Lists the events of one conversation. Throws 'resource-not-found' when the user is not in it. */
    listConversation: async (userId: UserId, name: string, types: EventTypes, request: PageRequest) => {
      const named = readConversationId(name);
      if (!named || !(await mayRead(engine, userId, named))) throw noSuchConversation(name);
      return listInbox(engine, { userId, conversationId: named.id, types: listed(types) }, request);
    },
    /** Lists the events between two users. Throws 'resource-not-found' when the other user does not exist. */
    listConversationWith: async (
      userId: UserId,
      otherId: UserId,
      types: EventTypes,
      request: PageRequest,
    ) => {
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
    ...createThreads(engine),
    /** Returns the media of a message that the user sees; undefined if there are none. */
    findMedia: async (userId: UserId, eventId: DmEventId): Promise<Media | undefined> =>
      (await findMessageMedia(engine, userId, eventId))?.media,
    /**
     * Removes an event from the user's view, and deletes it when no participant sees it. Throws 'resource-not-found'
     * for an event that the user does not see.
     */
    deleteEvent: async ({ userId }: UserPrincipal, eventId: DmEventId) => {
      const taken = await change('delete event', (tx) => deleteEvent(tx, userId, eventId));
      if (taken > 0) return;
      throw noSuchEvent('event_id', eventId);
    },
  };
}

function listed(types: EventTypes): readonly DmEventType[] {
  return types.size > 0 ? [...types] : DM_EVENT_TYPES;
}

async function deleteEvent(tx: Tx, userId: UserId, eventId: DmEventId): Promise<number> {
  const ref = await findInInbox(tx, userId, eventId);
  return ref ? removeEvents(tx, userId, ref.conversationId, [eventId]) : 0;
}

/**
 * Reports whether the user may read a conversation: participants may. A conversation of two exists as soon as both
 * users do, even without messages, and remains readable after the other account is deleted.
 */
async function mayRead(engine: Engine, userId: UserId, { id, pair }: NamedConversation): Promise<boolean> {
  if (await isParticipant(engine, id, userId)) return true;
  const other = pair && otherOf(pair, userId);
  return other !== undefined && (await findAccountStates(engine, [other])).has(other);
}
