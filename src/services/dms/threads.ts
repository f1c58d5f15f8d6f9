import type { UserPrincipal } from '../../core/access.js';
import { readConversationId } from '../../core/direct-message.js';
import { resourceNotFound, type PipitError } from '../../core/errors.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import type { Engine, Tx } from '../../database/engine.js';
import type { DmEventRef } from '../../stores/dm-events.js';
import {
  countUnreadIn,
  countUnreadMessages,
  findNewestInThread,
  listThreads,
  readThread,
} from '../../stores/dm-threads.js';
import { noSuchConversation } from './send-message.js';

/** Creates the part of the service that lists conversations and remembers what was read. */
export function createThreads(engine: Engine) {
  return {
    /** Lists the conversations of the user with the newest event of each, the last changed one first. */
    listConversations: (userId: UserId, request: PageRequest) => listThreads(engine, userId, request),
    /** Returns a conversation by its newest event. Throws 'resource-not-found' for one in which the user sees nothing. */
    getConversation: async ({ userId }: UserPrincipal, name: string): Promise<DmEventRef> => {
      const named = readConversationId(name);
      const eventId = named && (await findNewestInThread(engine, userId, named.id));
      if (!named || eventId === undefined) throw noSuchConversation(name);
      return { conversationId: named.id, eventId };
    },
    /** Counts the messages that the user has not read, in all conversations. */
    countUnread: (userId: UserId) => countUnreadMessages(engine, userId),
    /**
     * Marks a conversation as read up to an event, and returns how many messages are left unread. Throws
     * 'resource-not-found' for an event that the user does not see there.
     */
    read: ({ userId }: UserPrincipal, name: string, eventId: DmEventId) =>
      engine.tx('read conversation', (tx) => readUpTo(tx, userId, name, eventId), 'read-committed'),
  };
}

async function readUpTo(tx: Tx, userId: UserId, name: string, eventId: DmEventId): Promise<number> {
  const named = readConversationId(name);
  if (!named) throw noSuchConversation(name);
  const { id: conversationId } = named;
  if (!(await readThread(tx, userId, { conversationId, eventId }))) {
    throw noSuchEvent('up_to_event_id', eventId);
  }
  return (await countUnreadIn(tx, userId, [conversationId])).get(conversationId) ?? 0;
}

/** Returns the 404 for an event that the user does not see. */
export function noSuchEvent(parameter: string, id: DmEventId): PipitError {
  return resourceNotFound({ resourceType: 'dm_event', parameter, value: String(id) });
}
