import { MAX_GROUP_PARTICIPANTS, MAX_MESSAGE_CHARACTERS } from '../core/limits.js';
import type { DmEventId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { mediaKey } from './media.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_NAME = 100;

/** Participants of a group, including its creator (docs/api/messages.md). */
const MAX_PARTICIPANTS = MAX_GROUP_PARTICIPANTS + 1;

/** A media key, alone or in a list of one, as in posts. */
const attachments = valuesOf(mediaKey, { min: 1, max: 1 });
const attachment: v.Validator<string> = {
  schema: { anyOf: [mediaKey.schema, attachments.schema] },
  check: (value, path, faults) =>
    Array.isArray(value) ? attachments.check(value, path, faults)?.[0] : mediaKey.check(value, path, faults),
};

const groupId = v.matching(/^[1-9][0-9]{14,18}$/, { description: 'the id of a group: 15 to 19 digits' });

const message = objectOf({
  id: idOf<DmEventId>(),
  from: v.required(username),
  text: v.text({ min: 1, max: MAX_MESSAGE_CHARACTERS }),
  media: attachment,
  at: worldTime,
});
export type WorldMessage = v.ValueOf<typeof message>;

const conversation = objectOf({
  id: groupId,
  participants: v.required(valuesOf(username, { min: 1, max: MAX_PARTICIPANTS })),
  name: v.text({ min: 1, max: MAX_NAME }),
  messages: v.required(valuesOf(message)),
});
export type WorldConversation = v.ValueOf<typeof conversation>;

/** Reads the section of conversations and checks each entry alone. */
export const readConversations = v.refined(listOf(conversation), (conversations, _path, faults) => {
  for (const entry of conversations) checkConversation(entry, faults);
  return conversations;
});

function checkConversation(
  { id, participants, name, messages, path }: WorldConversation,
  faults: v.FaultSink,
): void {
  const members = participants.map((participant) => participant.toLowerCase());
  for (const [index, member] of members.entries()) {
    const first = members.indexOf(member);
    if (first < index) faults.add(`${path}.participants[${index}]`, `stands at [${first}] already`);
  }
  if (id !== undefined && members.length < 3) faults.add(`${path}.id`, 'is for groups of three and more');
  if (name !== undefined && members.length < 3) faults.add(`${path}.name`, 'is for groups of three and more');
  for (const entry of messages) {
    if (!members.includes(entry.from.toLowerCase()))
      faults.add(`${entry.path}.from`, `@${entry.from} is not among the participants`);
    if (entry.text === undefined && entry.media === undefined)
      faults.add(`${entry.path}.text`, 'is missing, and there is no media');
    if (entry.text !== undefined && !/\S/.test(entry.text)) faults.add(`${entry.path}.text`, 'is blank');
  }
}
