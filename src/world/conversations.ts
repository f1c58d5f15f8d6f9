import { createHash } from 'node:crypto';
import {
  groupConversationId,
  pairConversation,
  type ConversationId,
  type DmEvent,
} from '../core/direct-message.js';
import type { MediaId, UserId } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import { typedText } from '../services/dms/write-message.js';
import { insertConversation, insertParticipant, lockConversation } from '../stores/dm-conversations.js';
import { listEvents } from '../stores/dm-events.js';
import { seenAmong } from '../stores/dm-inbox.js';
import { readThread } from '../stores/dm-threads.js';
import { isGroup, type WorldConversation, type WorldMessage } from './conversation-entry.js';
import { isFormer, referencesIn, type Known } from './known.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { versionsOf, type WorldPost } from './post-entry.js';
import { mediaUsesOf } from './post-media.js';
import { idOfName, storeEvent, typeOf } from './store-messages.js';
import { checkSharedIds } from './shared-ids.js';

/** Checks that participants and media exist and fit, and that stored messages are unchanged. */
export async function checkConversations(
  entries: readonly WorldConversation[],
  file: { readonly posts: readonly WorldPost[]; readonly media: readonly WorldMedia[] },
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  const messages = entries.flatMap((entry) => entry.messages);
  requireUnique(messages, 'id', ({ id }) => id, faults);
  await checkSharedIds(messages, versionsOf(file.posts), check);
  await known.requireUsers(referencesIn(entries, 'participants'), faults);
  await known.requireUsers(referencesIn(messages, 'from', 'joined', 'left'), faults);
  await checkMedia(messages, file, check);
  const named = [...nameConversations(entries, known)];
  requireUnique(
    named.map(([{ path }, id]) => ({ path, id })),
    'participants',
    ({ id }) => id,
    faults,
  );
  for (const [entry, id] of named) await checkStored(entry, id, check);
}

/** Checks that media belong to the sender and are used by one post or message only. */
async function checkMedia(
  messages: readonly WorldMessage[],
  { posts, media }: Parameters<typeof checkConversations>[1],
  { known, faults }: Check,
): Promise<void> {
  const uses = referencesIn(messages, 'media').map(({ entry, name, path }) => ({
    by: entry.from ?? '',
    name: mediaIdOfKey(name),
    path,
  }));
  await known.requireMedia(uses, faults);
  const usesOfPosts = mediaUsesOf(versionsOf(posts)).map(({ name, path }) => [name, path] as const);
  checkMediaUses(uses, media, faults, new Map(usesOfPosts));
}

/** Checks stored messages: messages never change, so a different one with the same id would be lost silently. */
async function checkStored(
  { messages, participants }: WorldConversation,
  conversationId: ConversationId,
  { known, faults }: Check,
): Promise<void> {
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (ids.length === 0) return;
  const stored = new Map((await listEvents(known.db, conversationId)).map((event) => [event.id, event]));
  const members = participants.map((name) => known.findUserId(name)).filter((id) => id !== undefined);
  const seen = await seenAmong(known.db, members, ids);
  for (const message of messages) {
    if (message.id === undefined) continue;
    const event = stored.get(message.id);
    if (event && !isSame(message, event, known))
      faults.add(`${message.path}.id`, `differs from message ${event.id} in the database`);
    if (!event && seen.has(message.id))
      faults.add(`${message.path}.id`, 'belongs to another conversation in the database');
  }
}

/** Returns the media of messages, each with its sender. */
export function messageMediaOwners(
  entries: readonly WorldConversation[],
  known: Known,
): (readonly [MediaId, UserId])[] {
  const messages = entries.flatMap((entry) => entry.messages);
  return referencesIn(messages, 'media').flatMap(({ entry: { from }, name }) =>
    from === undefined ? [] : [[mediaIdOfKey(name), known.userId(from)]],
  );
}

/**
 * Returns the id of each conversation whose participants are known. The id of a group is derived from its entry, so a
 * second load finds the group again. Equal entries are different groups, distinguished by their order.
 */
function nameConversations(
  entries: readonly WorldConversation[],
  known: Known,
): Map<WorldConversation, ConversationId> {
  const alike = new Map<string, number>();
  const named = new Map<WorldConversation, ConversationId>();
  for (const entry of entries) {
    const members = entry.participants.map((name) => known.findUserId(name));
    if (!members.every((id) => id !== undefined)) continue;
    const [one, other = one] = members;
    if (one === undefined || other === undefined) continue;
    if (entry.id !== undefined) {
      named.set(entry, groupConversationId(BigInt(entry.id)));
      continue;
    }
    const group = JSON.stringify([entry.name, members.map(String).sort()]);
    const count = alike.get(group) ?? 0;
    alike.set(group, count + 1);
    named.set(entry, isGroup(entry) ? groupId(`${count} ${group}`) : pairConversation(one, other).id);
  }
  return named;
}

/** Returns the derived id of a group: 19 digits, above the snowflakes of the next decades. */
function groupId(group: string): ConversationId {
  const digest = createHash('sha256').update(group).digest().readBigUInt64BE();
  return groupConversationId((1n << 62n) | (digest & ((1n << 62n) - 1n)));
}

/** Stores the conversations and messages that are not in the database. */
export async function storeConversations(
  entries: readonly WorldConversation[],
  load: Load,
  publicUrl: string,
): Promise<void> {
  for (const [entry, id] of nameConversations(entries, load.known)) {
    const isNew = await insertConversation(load.tx, { id, name: entry.name, createdAtMs: load.nowMs });
    if (!isNew) await lockConversation(load.tx, id);
    const members = entry.participants.filter((name) => !isFormer(name));
    for (const name of members) await insertParticipant(load.tx, id, load.known.userId(name));
    const missing = missingMessages(entry, await listEvents(load.tx, id), load.known);
    for (const message of missing) await storeEvent(message, { id, members }, load, publicUrl);
    for (const { user, message } of entry.read_up_to ?? [])
      await readThread(load.tx, load.known.userId(user), { conversationId: id, eventId: message });
    if (isNew || missing.length > 0) load.added('conversations');
  }
}

/** Identifies messages without an id by their content; each stored message matches one of the file. */
function missingMessages(
  { messages }: WorldConversation,
  stored: readonly DmEvent[],
  known: Known,
): WorldMessage[] {
  const declared = new Set(messages.map(({ id }) => id));
  const ids = new Set(stored.map(({ id }) => id));
  const unclaimed = new Set(stored.filter(({ id }) => !declared.has(id)));
  return messages.filter((message) => {
    if (message.id !== undefined) return !ids.has(message.id);
    const same = [...unclaimed].find((event) => isSame(message, event, known));
    return same === undefined || !unclaimed.delete(same);
  });
}

function isSame({ text = '', media, at, ...message }: WorldMessage, event: DmEvent, known: Known): boolean {
  if (typeOf(message) !== event.type || event.senderId !== idOfName(message.from, known)) return false;
  if (at && !at.isRelative && event.createdAtMs !== at.at(0)) return false;
  if (event.detail.mediaKeys?.[0] !== media || typedText(event) !== text) return false;
  const changed = idOfName(message.joined ?? message.left, known);
  return event.detail.participantIds?.[0] === (changed === undefined ? undefined : String(changed));
}
