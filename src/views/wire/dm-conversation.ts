import type { ConversationId } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import { count, id, listOf, oneOf, ref, text } from '../../core/json-schema.js';
import type { WireObject } from '../../core/wire-json.js';
import { byDefault, required, asImported, type Fields } from './field.js';

/** A conversation as one of its participants sees it. */
export interface SeenConversation {
  readonly id: ConversationId;
  readonly isGroup: boolean;
  readonly name?: string;
  readonly participantIds: readonly UserId[];
  readonly lastEvent: WireObject;
  readonly unread: number;
}

/** A conversation (docs/api/pipit.md#conversations-of-messages). */
export const dmConversationFields = {
  id: required(text, (conversation) => String(conversation.id)),
  type: required(oneOf('one_to_one', 'group'), ({ isGroup }) => (isGroup ? 'group' : 'one_to_one')),
  name: byDefault(text, ({ name }) => name),
  participant_ids: required(listOf(id), ({ participantIds }) => participantIds.map(String)),
  last_event: required(ref('DmEvent'), ({ lastEvent }) => asImported(lastEvent)),
  unread_count: required(count, ({ unread }) => unread),
} satisfies Fields<SeenConversation>;
