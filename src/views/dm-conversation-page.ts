import { readConversationId, type ConversationId } from '../core/direct-message.js';
import type { UserId } from '../core/ids.js';
import type { WireObject } from '../core/wire-json.js';
import { findConversations, findParticipants } from '../stores/dm-conversations.js';
import { findDmEvents, type DmEventRef } from '../stores/dm-events.js';
import { countUnreadIn } from '../stores/dm-threads.js';
import { expandEvents } from './dm-page.js';
import { PostSet } from './hydrate/posts.js';
import { includeUsers } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import type { ViewDeps } from './post-page.js';
import type { Selection } from './selection.js';
import { dmConversationFields, type SeenConversation } from './wire/dm-conversation.js';
import { dmEventFields } from './wire/dm-event.js';
import { presenter } from './wire/presenter.js';

export interface DmConversationRequest {
  /** The newest event of each conversation, from the viewer's inbox, which decides what is visible. */
  readonly refs: readonly DmEventRef[];
  readonly viewerId: UserId;
  readonly selection: Selection;
  readonly eventFields: ReadonlySet<string>;
}

const present = presenter(dmConversationFields, new Set<string>());

/**
 * Returns conversations in the given order (docs/api/pipit.md#conversations-of-messages). Expansions are those of events;
 * `participant_ids` adds the participants of each conversation.
 */
export async function viewDmConversations(
  deps: ViewDeps,
  request: DmConversationRequest,
): Promise<Envelope<WireObject[]>> {
  const { refs, selection, eventFields, viewerId } = request;
  const events = await findDmEvents(deps.reads.db, refs);
  const conversations = await seenConversations(deps, request);
  const presentEvent = presenter(dmEventFields, eventFields);
  const posts = new PostSet(deps.reads, viewerId);
  return posts.complete(() => {
    const includes = new Includes();
    expandEvents(deps, request, [...events.values()], posts, includes);
    if (selection.expansions.has('participant_ids')) {
      const ids = conversations.flatMap(({ participantIds }) => participantIds);
      const wanted = [...new Set(ids)].map((id) => ({ parameter: 'participant_ids', id }));
      includeUsers(posts, includes, wanted, selection.userFields);
    }
    const data = conversations.flatMap(({ eventId, ...conversation }) => {
      const event = events.get(eventId);
      return event ? present({ ...conversation, lastEvent: presentEvent(event) }) : [];
    });
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}

type Seen = Omit<SeenConversation, 'lastEvent'> & Pick<DmEventRef, 'eventId'>;

async function seenConversations(
  { reads: { db } }: ViewDeps,
  request: DmConversationRequest,
): Promise<Seen[]> {
  const { refs, viewerId } = request;
  const ids = refs.map(({ conversationId }) => conversationId);
  const [stored, participants, unread] = await Promise.all([
    findConversations(db, ids),
    findParticipants(db, ids),
    countUnreadIn(db, viewerId, ids),
  ]);
  return refs.map(({ conversationId: id, eventId }) => {
    const pair = pairOf(id);
    return {
      id,
      eventId,
      isGroup: pair === undefined,
      name: stored.get(id)?.name,
      participantIds: pair ?? participants.get(id) ?? [],
      unread: unread.get(id) ?? 0,
    };
  });
}

/** Returns the two users of a conversation, also of one that a deleted account has left; undefined for a group. */
function pairOf(id: ConversationId): readonly UserId[] | undefined {
  const pair = readConversationId(id)?.pair;
  return pair && [...new Set(pair)];
}
