import type { ConversationId, DmEvent, DmEventType } from '../core/direct-message.js';
import type { DmEventId, PostId, UserId } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { writeMessage } from '../services/dms/write-message.js';
import { insertDmEvent } from '../stores/dm-events.js';
import { deleteFromInbox, deliver } from '../stores/dm-inbox.js';
import { attachMedia } from '../stores/media.js';
import type { WorldMessage } from './conversation-entry.js';
import { lookupsWith } from './handles.js';
import type { Known } from './known.js';
import type { Load } from './pass.js';

/** Returns the id of a user by the name that entries use. */
export function idOfName(name: string | undefined, known: Known): UserId | undefined {
  return name === undefined ? undefined : known.findUserId(name);
}

/** Returns the kind of an event. */
export function typeOf({ joined, left }: Pick<WorldMessage, 'joined' | 'left'>): DmEventType {
  if (joined !== undefined) return 'ParticipantsJoin';
  return left === undefined ? 'MessageCreate' : 'ParticipantsLeave';
}

function isMessage(entry: WorldMessage): entry is WorldMessage & { readonly from: string } {
  return typeOf(entry) === 'MessageCreate' && entry.from !== undefined;
}

/** A conversation with the usernames of its participants who exist. */
interface Stored {
  readonly id: ConversationId;
  readonly members: readonly string[];
}

/** Stores an event of a conversation whose participants are stored, and shows it to those who see it. */
export async function storeEvent(
  entry: WorldMessage,
  { id, members }: Stored,
  load: Load,
  publicUrl: string,
): Promise<void> {
  const eventId = isMessage(entry)
    ? await storeMessage(entry, id, load, publicUrl)
    : await storeChange(entry, id, load);
  await hideEvent(entry, eventId, { id, members }, load);
}

/** Returns the id and time of an event, and its place among other events. */
function identityOf({ id: given, at }: WorldMessage, load: Load) {
  const atMs = at?.at(load.nowMs);
  const id = given ?? (load.edgeId(atMs) as bigint as DmEventId);
  const createdAtMs = atMs ?? timeOfId(id) ?? load.nowMs;
  const isOrdered = Math.floor((timeOfId(id) ?? 0) / 1000) === Math.floor(createdAtMs / 1000);
  return { id, createdAtMs, position: isOrdered ? id : load.edgeId(createdAtMs) };
}

async function storeMessage(
  message: WorldMessage & { readonly from: string },
  conversationId: ConversationId,
  load: Load,
  publicUrl: string,
): Promise<DmEventId> {
  const senderId = load.known.userId(message.from);
  const identity = identityOf(message, load);
  const { id: attachTo, createdAtMs } = identity;
  const mediaId = message.media === undefined ? undefined : mediaIdOfKey(message.media);
  if (mediaId !== undefined) {
    const claim = { id: mediaId, ownerId: senderId, attachTo, nowMs: load.nowMs };
    if (!(await attachMedia(load.tx, claim)))
      load.faults.add(`${message.path}.media`, 'is in use or another user’s in the database');
  }
  const text = message.text ?? '';
  const deletedPosts = deletedSince(createdAtMs, load);
  const draft = { ...identity, conversationId, senderId, text, mediaId, deletedPosts };
  await writeMessage(load.tx, publicUrl, draft, await lookupsWith(load, message.handles));
  return attachTo;
}

/** Returns the posts of the file that were deleted after a time (ms). */
function deletedSince(timeMs: number, { known, nowMs }: Load): ReadonlySet<PostId> {
  const deleted = [...known.deletedPosts].filter(([, at]) => (at?.at(nowMs) ?? nowMs) >= timeMs);
  return new Set(deleted.map(([id]) => id));
}

/** Stores the event of joining or leaving a group. */
async function storeChange(
  entry: WorldMessage,
  conversationId: ConversationId,
  load: Load,
): Promise<DmEventId> {
  const { position, ...identity } = identityOf(entry, load);
  const changed = idOfName(entry.joined ?? entry.left, load.known);
  const event: DmEvent = {
    ...identity,
    conversationId,
    type: typeOf(entry),
    senderId: idOfName(entry.from, load.known),
    detail: { participantIds: [String(changed)] },
  };
  await insertDmEvent(load.tx, event);
  await deliver(load.tx, event, position);
  return event.id;
}

/** Removes an event from the inboxes of the participants who do not see it: who joined later, or deleted it. */
async function hideEvent(
  { seen_by: seenBy }: WorldMessage,
  eventId: DmEventId,
  { id, members }: Stored,
  { tx, known }: Load,
): Promise<void> {
  if (seenBy === undefined) return;
  const viewers = new Set(seenBy.map((name) => known.userId(name)));
  for (const userId of members.map((name) => known.userId(name)))
    if (!viewers.has(userId)) await deleteFromInbox(tx, userId, id, [eventId]);
}
