import { readConversationId } from '../../core/direct-message.js';
import type { Queryable } from '../../database/engine.js';
import { typedText } from '../../services/dms/write-message.js';
import { findConversations, listParticipants } from '../../stores/dm-conversations.js';
import { listMessages } from '../../stores/dm-events.js';
import { listAllConversationIds } from '../../stores/whole-network.js';
import { entryOf, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the conversations that have messages and all their participants, with their messages. */
export async function exportConversations(db: Queryable, names: Names): Promise<Entry[]> {
  const ids = await listAllConversationIds(db);
  const conversations = await findConversations(db, ids);
  const entries: Entry[] = [];
  for (const id of ids) {
    const participantIds = await listParticipants(db, id);
    const participants = names.findAll(participantIds);
    const messages = (await listMessages(db, id)).flatMap((event) => {
      const from = event.senderId === undefined ? undefined : names.find(event.senderId);
      if (from === undefined || !participants.includes(from)) return [];
      return [
        entryOf({
          id: String(event.id),
          from,
          text: unless('', typedText(event)),
          media: event.detail.mediaKeys?.[0],
          at: worldTimeOf(event.createdAtMs),
        }),
      ];
    });
    if (participants.length === 0 || participants.length < participantIds.length) continue;
    const isGroup = readConversationId(id)?.pair === undefined;
    entries.push(
      entryOf({ id: isGroup ? id : undefined, participants, name: conversations.get(id)?.name, messages }),
    );
  }
  return entries;
}
