import type { DmEvent } from '../../core/direct-message.js';
import type { MediaId, PostId, UserId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import { insertDmEvent } from '../../stores/dm-events.js';
import { deliver } from '../../stores/dm-inbox.js';
import { createLookups } from '../../stores/lookups.js';
import { findMedia } from '../../stores/media.js';
import { findPosts } from '../../stores/posts.js';
import type { AppendedLink } from '../posts/compose-text.js';
import { linkEntities } from '../posts/link-entities.js';
import { linkedPosts, withoutLastWord, withoutScheme } from '../posts/status-links.js';

/** A message before entities, links and references are derived from it. */
export interface MessageDraft extends Pick<DmEvent, 'id' | 'conversationId' | 'createdAtMs'> {
  readonly senderId: UserId;
  /** Empty when the message has only media. */
  readonly text: string;
  readonly mediaId?: MediaId;
  /** The position in the inbox, when it differs from the id (stores/dm-inbox.ts). */
  readonly position?: bigint;
  /** Posts that existed when the message was written, and were deleted since. */
  readonly deletedPosts?: ReadonlySet<PostId>;
}

/**
 * Writes a message and delivers it to all participants. Derives the media link, entities and referenced posts
 * (docs/api/messages.md). Callers check permissions and attach the media.
 */
export async function writeMessage(
  tx: Tx,
  publicUrl: string,
  draft: MessageDraft,
  lookups = createLookups(tx),
): Promise<DmEvent> {
  const links = await mediaLinks(tx, publicUrl, draft);
  const text = [draft.text, ...links.map((link) => link.url)].filter((part) => part !== '').join(' ');
  const mediaKeys = links.flatMap((link) => link.mediaKeys);
  const { entities } = await linkEntities(lookups, text, links);
  const linked = linkedPosts(draft.text, publicUrl);
  const posts = await findPosts(tx, linked);
  const postIds = linked.filter((id) => posts.has(id) || draft.deletedPosts?.has(id)).map(String);
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

/** Returns the text as typed by the sender, without the appended media link. */
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
