import { invalidRequest } from '../../core/errors.js';
import type { MediaId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { objectSchema } from '../../views/wire/field.js';
import { jsonBody, idField } from '../body/body.js';
import { Answer } from '../../http/answer.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { altTextField } from './media-metadata.js';
import { answerV1Upload, uploadV1Fields } from '../media/upload-fields.js';
import { parseMediaId, runUploadCommand, type DoneCommand } from '../media/upload-commands.js';
import { readUploadForm, uploadBody } from '../media/upload-form.js';
import { MEDIA_V1 } from './media-access.js';

/** Uploads on `/1.1/` paths for v1.1 clients; see docs/api/media.md#uploads. */

const STATUS: Readonly<Record<DoneCommand['command'], number>> = {
  whole: 200,
  INIT: 202,
  APPEND: 204,
  FINALIZE: 201,
};

function requireStatusCommand(command: string | null): void {
  if (command === null || command.toUpperCase() === 'STATUS') return;
  throw invalidRequest('command', [command], `The command [${command}] is not STATUS.`);
}

export const mediaUploadV1Endpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...MEDIA_V1,
    operationId: 'mediaUploadV1',
    summary: 'Uploads media in one piece, or executes a `command`: INIT, APPEND, FINALIZE',
    method: 'POST',
    path: '/1.1/media/upload.json',
    rateLimits: perQuarterHour({ user: 1875 }),
    body: uploadBody,
    otherSuccesses: [201, 202, 204],
    response: objectSchema(uploadV1Fields),
    handler: async ({ media }, { principal, body, rawQuery }) => {
      await using form = await readUploadForm(media, body, rawQuery);
      const { command, upload } = await runUploadCommand(media, principal, form);
      const status = STATUS[command];
      return status === 204 ? new Answer(status) : answerV1Upload(status, upload);
    },
  }),
  endpoint({
    ...MEDIA_V1,
    operationId: 'getMediaUploadStatusV1',
    summary: 'The processing status of an upload (`command=STATUS`)',
    path: '/1.1/media/upload.json',
    rateLimits: perQuarterHour({ user: 1000 }),
    response: objectSchema(uploadV1Fields),
    handler: async ({ media }, { principal, rawQuery }) => {
      const query = new URLSearchParams(rawQuery);
      requireStatusCommand(query.get('command'));
      const id = parseMediaId('media_id', query.get('media_id') ?? undefined);
      return answerV1Upload(200, await media.status(principal, id));
    },
  }),
  endpoint({
    ...MEDIA_V1,
    operationId: 'createMediaMetadataV1',
    summary: 'Describes a photo or an animated image',
    method: 'POST',
    path: '/1.1/media/metadata/create.json',
    rateLimits: perQuarterHour({ user: 500 }),
    body: jsonBody(
      v.object({
        media_id: v.required(idField<MediaId>('The media.')),
        alt_text: v.required(v.object({ text: altTextField })),
      }),
    ),
    handler: async ({ media }, { principal, body }) => {
      await media.describe(principal, body.media_id, body.alt_text.text);
      return new Answer(200, Buffer.alloc(0));
    },
  }),
];
