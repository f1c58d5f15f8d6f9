import { MAX_GROUP_PARTICIPANTS, MAX_MESSAGE_CHARACTERS } from '../core/limits.js';
import type { DmEventId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { mediaKey } from './media-key.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { handles } from './handles.js';
import { isFormer } from './known.js';
import { anyUser, username } from './users.js';
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

const eventMembers = { id: idOf<DmEventId>(), seen_by: valuesOf(username), at: worldTime };
const message = objectOf({
  ...eventMembers,
  from: v.required(anyUser),
  text: v.text({ min: 1, max: MAX_MESSAGE_CHARACTERS }),
  handles,
  media: attachment,
});
/** That a user joined or left a group. */
const change = objectOf({ ...eventMembers, from: anyUser, joined: anyUser, left: anyUser });

/** A message, or a change of a group. */
export type WorldMessage = Partial<v.ValueOf<typeof message>> &
  Partial<v.ValueOf<typeof change>> & { readonly path: string };

const event: v.Validator<WorldMessage> = {
  schema: { anyOf: [message.schema, change.schema] },
  check: (value, path, faults) => {
    const isChange = v.isObject(value) && (Object.hasOwn(value, 'joined') || Object.hasOwn(value, 'left'));
    return (isChange ? change : message).check(value, path, faults);
  },
};

const conversation = objectOf({
  id: groupId,
  participants: v.required(valuesOf(anyUser, { min: 1, max: MAX_PARTICIPANTS })),
  name: v.text({ min: 1, max: MAX_NAME }),
  messages: v.required(valuesOf(event)),
  read_up_to: valuesOf(objectOf({ user: v.required(username), message: v.required(idOf<DmEventId>()) })),
});
export type WorldConversation = v.ValueOf<typeof conversation>;

/** Reads the section of conversations and checks each entry alone. */
export const readConversations = v.refined(listOf(conversation), (conversations, _path, faults) => {
  for (const entry of conversations) checkConversation(entry, faults);
  return conversations;
});

function checkConversation(entry: WorldConversation, faults: v.FaultSink): void {
  const { participants, name, messages, path } = entry;
  const members = participants.map((participant) => participant.toLowerCase());
  for (const [index, member] of members.entries()) {
    const first = members.indexOf(member);
    if (first < index) faults.add(`${path}.participants[${index}]`, `stands at [${first}] already`);
  }
  if (name !== undefined && !isGroup(entry))
    faults.add(`${path}.name`, 'is for groups: of three and more, or with an id');
  checkFormer(entry, faults);
  for (const event of messages) checkEvent(event, entry, faults);
  for (const { user, path: place } of entry.read_up_to ?? [])
    if (!members.includes(user.toLowerCase()))
      faults.add(`${place}.user`, `@${user} is not among the participants`);
}

/** Reports whether a conversation is a group: of three and more, or with an id, whatever its size. */
export function isGroup({ id, participants }: Pick<WorldConversation, 'id' | 'participants'>): boolean {
  return id !== undefined || participants.length > 2;
}

/** A deleted user has left all groups, but is one of two forever. */
function checkFormer(entry: WorldConversation, faults: v.FaultSink): void {
  const { participants, path } = entry;
  for (const [index, name] of participants.entries()) {
    if (isFormer(name) && (isGroup(entry) || participants.every(isFormer)))
      faults.add(`${path}.participants[${index}]`, 'is a deleted user, who is in no such conversation');
  }
}

function checkEvent(event: WorldMessage, entry: WorldConversation, faults: v.FaultSink): void {
  const { path, from, joined, left } = event;
  const members = entry.participants.map((name) => name.toLowerCase());
  const isMember = (name: string) =>
    members.includes(name.toLowerCase()) || (isGroup(entry) && isFormer(name));
  if (from !== undefined && !isMember(from))
    faults.add(`${path}.from`, `${isFormer(from) ? from : `@${from}`} is not among the participants`);
  for (const [index, name] of (event.seen_by ?? []).entries())
    if (!members.includes(name.toLowerCase()))
      faults.add(`${path}.seen_by[${index}]`, `@${name} is not among the participants`);
  if (joined === undefined && left === undefined) return checkMessage(event, faults);
  const key = joined === undefined ? 'left' : 'joined';
  if (!isGroup(entry)) faults.add(`${path}.${key}`, 'is for groups: of three and more, or with an id');
  if (joined !== undefined && left !== undefined) faults.add(`${path}.left`, 'does not go with joined');
}

function checkMessage({ path, text, media }: WorldMessage, faults: v.FaultSink): void {
  if (text === undefined && media === undefined)
    faults.add(`${path}.text`, 'is missing, and there is no media');
  if (text !== undefined && !/\S/.test(text)) faults.add(`${path}.text`, 'is blank');
}
