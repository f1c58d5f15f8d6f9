import type { MediaId, UserId } from '../../core/ids.js';
import { object } from '../../core/json-schema.js';
import { MAX_ADDITIONAL_OWNERS, MAX_VIDEO_BYTES } from '../../core/limits.js';
import { MEDIA_CATEGORIES } from '../../core/media.js';
import * as v from '../../core/validators.js';
import { objectSchema } from '../../views/wire/field.js';
import { jsonBody, idField } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { appendSegment, runUploadCommand } from '../media/upload-commands.js';
import { presentUpload, uploadFields } from '../media/upload-fields.js';
import { readUploadForm, uploadBody } from '../media/upload-form.js';
import { choiceParam, idParam, inPath, required } from '../params/params.js';
import { MEDIA_WRITE } from './media-access.js';

/** Uploads; see docs/api/media.md#uploads. */

const common = { tag: 'Media', access: MEDIA_WRITE } as const;
const response = object({ data: objectSchema(uploadFields) }, ['data']);
const appended = object({ data: object({ expires_at: { type: 'integer' } }, ['expires_at']) }, ['data']);
const id = inPath(idParam<MediaId>('The upload.'));

/** Returns the expiry in epoch seconds (docs/api/media.md#uploads). */
function presentAppended({ expiresAtMs }: { readonly expiresAtMs: number }) {
  return { data: { expires_at: Math.floor(expiresAtMs / 1000) } };
}

export const mediaUploadEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'mediaUpload',
    summary: 'Uploads media in one piece, or executes a `command`: INIT, APPEND, FINALIZE',
    method: 'POST',
    path: '/2/media/upload',
    rateLimits: perQuarterHour({ user: 500 }),
    openQuery: true,
    body: uploadBody,
    response,
    handler: async ({ media }, { principal, body, rawQuery }) => {
      await using form = await readUploadForm(media, body, rawQuery);
      const { command, upload } = await runUploadCommand(media, principal, form);
      return command === 'APPEND' ? presentAppended(upload) : { data: presentUpload(upload) };
    },
  }),
  endpoint({
    ...common,
    operationId: 'getMediaUploadStatus',
    summary: 'The processing status of an upload',
    path: '/2/media/upload',
    rateLimits: perQuarterHour({ user: 1000 }),
    params: {
      media_id: required(idParam<MediaId>('The upload.')),
      command: choiceParam(['STATUS'], 'STATUS', 'Only STATUS is possible.'),
    },
    response,
    handler: async ({ media }, { principal, params }) => ({
      data: presentUpload(await media.status(principal, params.media_id)),
    }),
  }),
  endpoint({
    ...common,
    operationId: 'initializeMediaUpload',
    summary: 'Starts an upload in segments',
    method: 'POST',
    path: '/2/media/upload/initialize',
    rateLimits: perQuarterHour({ user: 1875 }),
    body: jsonBody(
      v.object({
        total_bytes: v.required(v.integer({ min: 1, max: MAX_VIDEO_BYTES, description: 'The total size.' })),
        media_type: v.required(
          v.text({ min: 1, max: 100, example: 'image/png', description: 'The media type of the file.' }),
        ),
        media_category: v.oneOf(MEDIA_CATEGORIES, 'The use of the media.'),
        additional_owners: v.list(idField<UserId>(), {
          min: 0,
          max: MAX_ADDITIONAL_OWNERS,
          description: 'Users who may also use the media.',
        }),
        shared: v.boolean('Accepted without effect.'),
      }),
    ),
    response,
    handler: async ({ media }, { principal, body }) => {
      const upload = await media.initialize(principal, {
        totalBytes: body.total_bytes,
        declaredType: body.media_type,
        category: body.media_category,
        additionalOwners: body.additional_owners,
      });
      return { data: presentUpload(upload) };
    },
  }),
  endpoint({
    ...common,
    operationId: 'appendMediaUpload',
    summary: 'Adds a segment to an upload',
    method: 'POST',
    path: '/2/media/upload/{id}/append',
    rateLimits: perQuarterHour({ user: 1875 }),
    params: { id },
    openQuery: true,
    body: uploadBody,
    response: appended,
    handler: async ({ media }, { principal, params, body, rawQuery }) => {
      await using form = await readUploadForm(media, body, rawQuery);
      return presentAppended(await appendSegment(media, principal, params.id, form));
    },
  }),
  endpoint({
    ...common,
    operationId: 'finalizeMediaUpload',
    summary: 'Completes an upload from its segments',
    method: 'POST',
    path: '/2/media/upload/{id}/finalize',
    rateLimits: perQuarterHour({ user: 1875 }),
    params: { id },
    response,
    handler: async ({ media }, { principal, params }) => ({
      data: presentUpload(await media.finalize(principal, params.id)),
    }),
  }),
];
