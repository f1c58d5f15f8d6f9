import type { MediaId } from '../../core/ids.js';
import { object, text } from '../../core/json-schema.js';
import { MAX_ALT_TEXT_CHARACTERS } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { jsonBody, idField } from '../body/body.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { dataSchema } from '../schemas/envelopes.js';
import { MEDIA_WRITE } from './media-access.js';

/** Alternative texts of media; see docs/api/media.md#uploads. */

export const altTextField = v.required(
  v.text({ max: MAX_ALT_TEXT_CHARACTERS, description: 'The alternative text; an empty text removes it.' }),
);

export const createMediaMetadata = endpoint({
  operationId: 'createMediaMetadata',
  tag: 'Media',
  summary: 'Describes a photo or an animated image',
  method: 'POST',
  path: '/2/media/metadata',
  access: MEDIA_WRITE,
  removes: true,
  rateLimits: perQuarterHour({ user: 500 }),
  body: jsonBody(
    v.object({
      id: v.required(idField<MediaId>('The media.')),
      metadata: v.required(v.object({ alt_text: v.required(v.object({ text: altTextField })) })),
    }),
  ),
  response: dataSchema({
    id: text,
    associated_metadata: object({ alt_text: object({ text }, ['text']) }),
  }),
  handler: async ({ media }, { principal, body }) => {
    const { alt_text } = body.metadata;
    await media.describe(principal, body.id, alt_text.text);
    return { data: { id: String(body.id), associated_metadata: { alt_text: { text: alt_text.text } } } };
  },
});
