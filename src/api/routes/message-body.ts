import { MAX_MESSAGE_CHARACTERS } from '../../core/limits.js';
import type { MediaId } from '../../core/ids.js';
import { listField, objectField } from '../body/containers.js';
import { idField, requiredField, textField, type BodyField, type BodyFieldValues } from '../body/fields.js';

const attachment = objectField({ media_id: requiredField(idField<MediaId>('Media of the sender.')) });

const fields = {
  text: textField({
    min: 1,
    max: MAX_MESSAGE_CHARACTERS,
    pattern: /\S/,
    example: 'Hello from Pipit',
    description: 'Required without attachments.',
  }),
  attachments: listField(requiredField(attachment), {
    min: 1,
    max: 1,
    description: 'Required without text.',
  }),
};

type Message = BodyFieldValues<typeof fields>;

const object = objectField(fields);

/** A message: text, one attachment or both (docs/api/messages.md, docs/api/messages.md). */
export const messageField: BodyField<Message | undefined> = {
  ...object,
  schema: { ...object.schema, anyOf: [{ required: ['text'] }, { required: ['attachments'] }] },
  check: (value, path, faults) => {
    const message = object.check(value, path, faults);
    const isEmpty = message && !Object.keys(fields).some((name) => Object.hasOwn(value as object, name));
    if (isEmpty) faults.add(`${path}.text`, 'is missing but it is required');
    return message;
  },
};

/** What the service makes of it. */
export function messageInput({ text, attachments }: Message) {
  return { text, mediaId: attachments?.[0]?.media_id };
}
