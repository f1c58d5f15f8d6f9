import { MAX_GROUP_PARTICIPANTS, MAX_MESSAGE_CHARACTERS } from '../core/limits.js';
import type { DmEventId } from '../core/ids.js';
import type { WorldFaults } from './faults.js';
import { mediaKey } from './media.js';
import {
  idOf,
  listOf,
  objectOf,
  optional,
  reader,
  required,
  textOf,
  timestamp,
  valuesOf,
  type Reader,
} from './readers.js';
import { username } from './users.js';

const MAX_NAME = 100;

/** The one who begins a group is in it beside those who are named (docs/api/messages.md). */
const MAX_PARTICIPANTS = MAX_GROUP_PARTICIPANTS + 1;

/** A media key; also in a list of one, as posts have them. */
const attachments = valuesOf(mediaKey, 1, 1);
const attachment: Reader<string> = reader(
  { anyOf: [mediaKey.schema, attachments.schema] },
  (value, path, faults) =>
    Array.isArray(value) ? attachments(value, path, faults)?.[0] : mediaKey(value, path, faults),
);

const message = objectOf({
  id: optional(idOf<DmEventId>()),
  from: required(username),
  text: optional(textOf(1, MAX_MESSAGE_CHARACTERS)),
  media: optional(attachment),
  at: optional(timestamp),
});
export type WorldMessage = NonNullable<ReturnType<typeof message>>;

const conversation = objectOf({
  participants: required(valuesOf(username, 1, MAX_PARTICIPANTS)),
  name: optional(textOf(1, MAX_NAME)),
  messages: required(valuesOf(message)),
});
export type WorldConversation = NonNullable<ReturnType<typeof conversation>>;

/** Conversations, each checked for itself. */
export const readConversations: Reader<readonly WorldConversation[]> = reader(
  listOf(conversation).schema,
  (value, path, faults) => {
    const conversations = listOf(conversation)(value, path, faults);
    for (const entry of conversations ?? []) checkConversation(entry, faults);
    return conversations;
  },
);

function checkConversation(
  { participants, name, messages, path }: WorldConversation,
  faults: WorldFaults,
): void {
  const members = participants.map((participant) => participant.toLowerCase());
  for (const [index, member] of members.entries()) {
    const first = members.indexOf(member);
    if (first < index) faults.add(`${path}.participants[${index}]`, `stands at [${first}] already`);
  }
  if (name !== undefined && members.length < 3) faults.add(`${path}.name`, 'is for groups of three and more');
  for (const entry of messages) {
    if (!members.includes(entry.from.toLowerCase()))
      faults.add(`${entry.path}.from`, `@${entry.from} is not among the participants`);
    if (entry.text === undefined && entry.media === undefined)
      faults.add(`${entry.path}.text`, 'is missing, and there is no media');
    if (entry.text !== undefined && !/\S/.test(entry.text)) faults.add(`${entry.path}.text`, 'is blank');
  }
}
