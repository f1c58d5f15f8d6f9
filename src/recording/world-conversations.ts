import { asArray, asObject, asText, type WireObject } from '../archive/wire-json.js';
import { readConversationId } from '../core/direct-message.js';
import { parseId } from '../core/ids.js';
import type { SeenNetwork } from './seen-network.js';
import { typedText } from './typed-text.js';

/** The events that were seen of one conversation. */
interface SeenConversation {
  readonly userIds: Set<string>;
  readonly isGroup: boolean;
  readonly messages: WireObject[];
}

/** A group of fewer people is a pair, for which world files have no id. */
const MIN_GROUP = 3;

/**
 * Returns the conversations of the messages that were seen, and the number of messages that belong to none: those
 * without a sender, and those of groups of which fewer than three people were seen. `nameOf` finds usernames.
 */
export function conversationEntries(
  { messages, media }: Pick<SeenNetwork, 'messages' | 'media'>,
  nameOf: (id: unknown) => string | undefined,
): { readonly conversations: WireObject[]; readonly leftOut: number } {
  const found = new Map<string, SeenConversation>();
  let leftOut = 0;
  // Oldest first: the file's order is that of the conversation.
  const events = messages.values().filter(({ id }) => parseId(String(id)) !== undefined);
  events.sort((one, other) => (BigInt(String(one.id)) < BigInt(String(other.id)) ? -1 : 1));
  for (const event of events) if (!addEvent(found, event)) leftOut += 1;
  const conversations: WireObject[] = [];
  for (const [id, { userIds, isGroup, messages: sent }] of found) {
    const participants = [...userIds].flatMap((userId) => nameOf(userId) ?? []);
    const isKnown = participants.length === userIds.size && (!isGroup || participants.length >= MIN_GROUP);
    if (!isKnown) leftOut += sent.length;
    else if (sent.length > 0) {
      const entries = sent.map((event) => messageEntry(event, media, nameOf));
      conversations.push({ id: isGroup ? id : undefined, participants, messages: entries });
    }
  }
  return { conversations, leftOut };
}

/** Adds an event to its conversation. Returns false for a message whose conversation or sender was not seen. */
function addEvent(found: Map<string, SeenConversation>, event: WireObject): boolean {
  const isMessage = event.event_type === 'MessageCreate';
  const named = readConversationId(String(event.dm_conversation_id));
  if (!named || (isMessage && typeof event.sender_id !== 'string')) return !isMessage;
  const { id, pair } = named;
  const conversation = found.get(id) ?? {
    userIds: new Set(pair?.map(String)),
    isGroup: pair === undefined,
    messages: [],
  };
  found.set(id, conversation);
  if (isMessage) conversation.messages.push(event);
  if (conversation.isGroup) {
    for (const userId of [event.sender_id, ...asArray(event.participant_ids)]) {
      if (typeof userId === 'string') conversation.userIds.add(userId);
    }
  }
  return true;
}

function messageEntry(
  event: WireObject,
  media: SeenNetwork['media'],
  nameOf: (id: unknown) => string | undefined,
): WireObject {
  const key = asArray(asObject(event.attachments)?.media_keys)[0];
  const hasMedia = typeof key === 'string';
  const text = typedText(event, { hasMedia, quotedId: undefined });
  const typed = hasMedia && event.entities === undefined ? withoutLastLink(text) : text;
  return {
    id: event.id,
    from: nameOf(event.sender_id),
    ...(/\S/.test(typed) && { text: typed }),
    ...(hasMedia && media.get(key) && { media: key }),
    ...(asText(event.created_at) !== undefined && { at: event.created_at }),
  };
}

/** Removes the link that a server adds for media, if the answer has no entities that show it. */
function withoutLastLink(text: string): string {
  const start = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
  return /^https?:\/\//.test(text.slice(start)) ? text.slice(0, start).trimEnd() : text;
}
