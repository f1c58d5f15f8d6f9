import { type ConversationId, type DmEvent } from '../../core/direct-message.js';
import type { DmEventId, MediaId, UserId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import { insertDmEvent } from '../../stores/dm-events.js';
import { deliver } from '../../stores/dm-inbox.js';
import { findMedia } from '../../stores/media.js';
import { findPosts } from '../../stores/posts.js';
import type { AppendedLink } from '../posts/compose-text.js';
import { linkEntities } from '../posts/link-entities.js';
import { linkedPosts, withoutLastWord, withoutScheme } from '../posts/status-links.js';

/** A message as its sender gives it: everything else is derived from it. */
export interface MessageDraft {
  readonly id: DmEventId;
  readonly conversationId: ConversationId;
  readonly senderId: UserId;
  readonly createdAtMs: number;
  /** Empty when there is only media. */
  readonly text: string;
  readonly mediaId?: MediaId;
  /** Orders the message among others where its id does not (stores/dm-inbox.ts). */
  readonly position?: bigint;
}

/**
 * Writes messages the same way whoever they come from, the API or a world file: derives the link of media, entities and
 * referenced posts (docs/api/messages.md), and shows it to all who are in the conversation. It asks for nobody's
 * permission and does not take media from their owner: callers do.
 */
export async function writeMessage(tx: Tx, publicUrl: string, draft: MessageDraft): Promise<DmEvent> {
  const links = await mediaLinks(tx, publicUrl, draft);
  const text = [draft.text, ...links.map((link) => link.url)].filter((part) => part !== '').join(' ');
  const mediaKeys = links.flatMap((link) => link.mediaKeys);
  const { entities } = await linkEntities(tx, text, links);
  const linked = linkedPosts(draft.text, publicUrl);
  const posts = await findPosts(tx, linked);
  const postIds = linked.filter((id) => posts.has(id)).map(String);
  const event: DmEvent = {
    id: draft.id,
    conversationId: draft.conversationId,
    type: 'MessageCreate',
    createdAtMs: draft.createdAtMs,
    senderId: draft.senderId,
    text,
    detail: {
      mediaKeys: mediaKeys.length > 0 ? mediaKeys : undefined,
      postIds: postIds.length > 0 ? postIds : undefined,
      entities,
    },
  };
  await insertDmEvent(tx, event);
  await deliver(tx, event, draft.position);
  return event;
}

/** What its sender wrote of a message: its text without the link of media, whatever address that was added under. */
export function typedText({ text = '', detail }: DmEvent): string {
  return detail.mediaKeys ? withoutLastWord(text) : text;
}

async function mediaLinks(tx: Tx, publicUrl: string, draft: MessageDraft): Promise<AppendedLink[]> {
  if (draft.mediaId === undefined) return [];
  const media = (await findMedia(tx, [draft.mediaId])).get(draft.mediaId);
  if (!media) throw new Error(`media ${draft.mediaId} does not exist`);
  const url = `${publicUrl}/messages/media/${draft.id}`;
  return [{ url, displayUrl: withoutScheme(url), mediaKeys: [media.mediaKey] }];
}
