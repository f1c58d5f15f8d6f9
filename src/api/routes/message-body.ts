import type { MediaId } from '../../core/ids.js';
import { MAX_MESSAGE_CHARACTERS } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { idField } from '../body/body.js';

const attachment = v.object({ media_id: v.required(idField<MediaId>('Media of the sender.')) });

const object = v.object({
  text: v.text({
    min: 1,
    max: MAX_MESSAGE_CHARACTERS,
    pattern: /\S/,
    example: 'Hello from Pipit',
    description: 'Required without attachments.',
  }),
  attachments: v.list(attachment, { min: 1, max: 1, description: 'Required without text.' }),
});

type Message = v.ValueOf<typeof object>;

/** A message: text, one attachment or both (docs/api/messages.md). */
export const messageField: v.Validator<Message> = {
  ...v.refined(object, (message, path, faults) => {
    if (Object.keys(message).length === 0) faults.report(`${path}.text`, { kind: 'missing' });
    return message;
  }),
  schema: { ...object.schema, anyOf: [{ required: ['text'] }, { required: ['attachments'] }] },
};

/** Converts a message to the input of the service. */
export function messageInput({ text, attachments }: Message) {
  return { text, mediaId: attachments?.[0]?.media_id };
}
