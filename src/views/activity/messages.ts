import { readConversationId, type DmEvent } from '../../core/direct-message.js';
import type { DmEventId, MediaId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, type Media } from '../../core/post.js';
import { findDmEvents } from '../../stores/dm-events.js';
import { findInInbox } from '../../stores/dm-inbox.js';
import { findMedia } from '../../stores/media.js';
import type { ViewDeps } from '../post-page.js';
import { viewUsers } from '../user-page.js';
import { presentMessageV1, type MessageV1Parts } from '../v1/direct-message.js';
import type { Payload, Showing, SubjectOf } from './payload.js';
import { ACTIVITY_SELECTION as selection } from './selection.js';

export async function viewMessage(
  deps: ViewDeps,
  { eventId }: SubjectOf<'message'>,
  { viewerId }: Showing,
): Promise<Payload | undefined> {
  const parts = viewerId === undefined ? undefined : await findMessageParts(deps, viewerId, eventId);
  if (!parts) return undefined;
  const { senderId, recipientId } = parts;
  const names = [senderId, recipientId].filter((id) => id !== undefined);
  const { data = [] } = await viewUsers(deps, { names, viewerId, selection });
  return {
    payload: {
      direct_message_events: [presentMessageV1(parts)],
      users: Object.fromEntries(data.map((user) => [user.id, { data: user }])),
    },
  };
}

/** Returns a message of the viewer's inbox; undefined if it is not there, or no message. */
export async function findMessageParts(
  { reads }: Pick<ViewDeps, 'reads'>,
  viewerId: UserId,
  eventId: DmEventId,
): Promise<MessageV1Parts | undefined> {
  const ref = await findInInbox(reads.db, viewerId, eventId);
  const message = ref && (await findDmEvents(reads.db, [ref])).get(eventId);
  if (message?.senderId === undefined) return undefined;
  const { senderId, detail } = message;
  const mentioned = (detail.entities?.mentions ?? []).flatMap(({ id }) =>
    id === undefined ? [] : [BigInt(id) as UserId],
  );
  return {
    message,
    senderId,
    recipientId: recipientOf(message, senderId, viewerId),
    media: await findAttachment(reads, detail.mediaKeys?.map(mediaIdOfKey)),
    users: await reads.users.readAll(mentioned),
  };
}

/** Returns the one recipient; in a group, the viewer if someone else wrote. */
function recipientOf({ conversationId }: DmEvent, senderId: UserId, viewerId: UserId): UserId | undefined {
  const { pair } = readConversationId(conversationId) ?? {};
  if (pair) return pair.find((id) => id !== senderId) ?? senderId;
  return viewerId === senderId ? undefined : viewerId;
}

async function findAttachment(
  { db }: ViewDeps['reads'],
  [mediaId]: readonly MediaId[] = [],
): Promise<Media | undefined> {
  return mediaId === undefined ? undefined : (await findMedia(db, [mediaId])).get(mediaId);
}
