import { readConversationId, type ConversationId, type DmEvent } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { typedText } from '../../services/dms/write-message.js';
import { findConversations, listParticipants } from '../../stores/dm-conversations.js';
import { listEvents } from '../../stores/dm-events.js';
import {
  listAllConversationIds,
  listAllInboxes,
  listAllReadPositions,
  type SeenEvent,
} from '../../stores/whole-network.js';
import { entryOf, someOf, unless, worldTimeOf, type Entry } from './entry.js';
import { handlesOf } from './handles.js';
import type { Names } from './names.js';

/** Returns the conversations of users who exist, with their events in the order of the inboxes. */
export async function exportConversations(db: Queryable, names: Names): Promise<Entry[]> {
  const ids = await listAllConversationIds(db);
  const conversations = await findConversations(db, ids);
  const inboxes = await listAllInboxes(db);
  const reads = await listAllReadPositions(db);
  const entries: Entry[] = [];
  for (const id of ids) {
    const memberIds = (await listParticipants(db, id)).filter((userId) => names.find(userId) !== undefined);
    if (memberIds.length === 0) continue;
    const seen = inboxes.get(id) ?? [];
    const events = new Map((await listEvents(db, id)).map((event) => [event.id, event]));
    const messages = seen.flatMap((each) => {
      const event = events.get(each.eventId);
      return event ? [entryOfEvent(event, each, memberIds, names)] : [];
    });
    const members = { memberIds, seen, events, reads: reads.get(id) ?? new Map() };
    entries.push(
      entryOf({
        ...participantsOf(id, memberIds, names),
        name: conversations.get(id)?.name,
        messages,
        read_up_to: someOf(readsOf(members, names)),
      }),
    );
  }
  return entries;
}

/** Returns the members of an entry that identify a conversation. A deleted user is one of two forever. */
function participantsOf(id: ConversationId, memberIds: readonly UserId[], names: Names): Entry {
  const pair = readConversationId(id)?.pair;
  if (!pair) return { id, participants: names.findAll(memberIds) };
  return { participants: [...new Set(pair)].map((userId) => names.refer(userId)) };
}

function entryOfEvent(
  event: DmEvent,
  { userIds }: SeenEvent,
  memberIds: readonly UserId[],
  names: Names,
): Entry {
  const { senderId, detail, type } = event;
  const [changed] = (detail.participantIds ?? []).map((id) => names.refer(BigInt(id) as UserId));
  const text = type === 'MessageCreate' ? typedText(event) : '';
  return entryOf({
    id: String(event.id),
    from: senderId === undefined ? undefined : names.refer(senderId),
    joined: type === 'ParticipantsJoin' ? changed : undefined,
    left: type === 'ParticipantsLeave' ? changed : undefined,
    text: unless('', text),
    handles: handlesOf({ text, entities: detail.entities }, names),
    media: detail.mediaKeys?.[0],
    seen_by: memberIds.every((id) => userIds.has(id))
      ? undefined
      : names.findAll(memberIds.filter((id) => userIds.has(id))),
    at: worldTimeOf(event.createdAtMs),
  });
}

interface Members {
  readonly memberIds: readonly UserId[];
  readonly seen: readonly SeenEvent[];
  readonly events: ReadonlyMap<DmEventId, DmEvent>;
  /** The positions up to which users have read. */
  readonly reads: ReadonlyMap<UserId, bigint>;
}

/** Returns the last event that each participant has read, unless it is their own. */
function readsOf({ memberIds, seen, events, reads }: Members, names: Names): Entry[] {
  return memberIds.flatMap((userId) => {
    const upTo = reads.get(userId) ?? -1n;
    const last = seen.findLast(({ position, userIds }) => position <= upTo && userIds.has(userId));
    if (!last || events.get(last.eventId)?.senderId === userId) return [];
    return [{ user: names.refer(userId), message: String(last.eventId) }];
  });
}
