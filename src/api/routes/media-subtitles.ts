import type { MediaId } from '../../core/ids.js';
import { listOf, object, text } from '../../core/json-schema.js';
import { MAX_SUBTITLE_LANGUAGE, MAX_SUBTITLE_NAME, SUBTITLE_LANGUAGE } from '../../core/media.js';
import * as v from '../../core/validators.js';
import { jsonBody, idField } from '../body/body.js';
import { Answer } from '../../http/answer.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { dataSchema } from '../schemas/envelopes.js';
import { MEDIA_WRITE, MEDIA_V1 } from './media-access.js';

/** Subtitles of videos; see docs/api/media.md#uploads. */

const rateLimits = perQuarterHour({ user: 100 });
const MAX_LANGUAGES = 50;

const category = v.oneOf(['TweetVideo', 'AmplifyVideo'], 'The use of the video.');
const language = v.required(
  v.text({
    pattern: SUBTITLE_LANGUAGE,
    max: MAX_SUBTITLE_LANGUAGE,
    example: 'en',
    description: 'The language.',
  }),
);
const displayName = v.text({ min: 1, max: MAX_SUBTITLE_NAME, description: 'The name of the language.' });
const video = v.required(idField<MediaId>('The video.'));

/** `/1.1/` paths accept several languages at once and answer without a body (docs/api/media.md#uploads). */
const v1 = { ...MEDIA_V1, method: 'POST', rateLimits } as const;

export const subtitleEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    operationId: 'createMediaSubtitles',
    tag: 'Media',
    summary: 'Adds uploaded subtitles to a video',
    method: 'POST',
    path: '/2/media/subtitles',
    access: MEDIA_WRITE,
    rateLimits,
    body: jsonBody(
      v.object({
        id: video,
        media_category: v.required(category),
        subtitles: v.required(
          v.object({
            id: v.required(idField<MediaId>('The uploaded subtitles.')),
            language_code: language,
            display_name: displayName,
          }),
        ),
      }),
    ),
    response: dataSchema({
      id: text,
      media_category: text,
      associated_subtitles: listOf(object({ id: text, language_code: text, display_name: text })),
    }),
    handler: async ({ media }, { principal, body }) => {
      const { id, media_category, subtitles } = body;
      const order = { uploadId: subtitles.id, languageCode: subtitles.language_code };
      await media.addSubtitles(principal, id, [{ ...order, displayName: subtitles.display_name }]);
      const associated = { ...subtitles, id: String(subtitles.id) };
      return { data: { id: String(id), media_category, associated_subtitles: [associated] } };
    },
  }),
  changeEndpoint({
    operationId: 'deleteMediaSubtitles',
    tag: 'Media',
    summary: 'Removes the subtitles of a language from a video',
    method: 'DELETE',
    path: '/2/media/subtitles',
    access: MEDIA_WRITE,
    rateLimits,
    body: jsonBody(v.object({ id: video, media_category: v.required(category), language_code: language })),
    answers: { deleted: true },
    run: ({ media }, { principal, body }) => media.removeSubtitles(principal, body.id, [body.language_code]),
  }),
];

function subtitleInfo<T>(entry: v.Validator<T>) {
  const subtitles = v.list(v.required(entry), { min: 1, max: MAX_LANGUAGES });
  return v.required(v.object({ subtitles: v.required(subtitles) }));
}

export const subtitleV1Endpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...v1,
    operationId: 'createMediaSubtitlesV1',
    summary: 'Adds uploaded subtitles to a video',
    path: '/1.1/media/subtitles/create.json',
    body: jsonBody(
      v.object({
        media_id: video,
        media_category: category,
        subtitle_info: subtitleInfo(
          v.object({
            media_id: v.required(idField<MediaId>('The uploaded subtitles.')),
            language_code: language,
            display_name: displayName,
          }),
        ),
      }),
    ),
    handler: async ({ media }, { principal, body }) => {
      const orders = body.subtitle_info.subtitles.map((each) => ({
        uploadId: each.media_id,
        languageCode: each.language_code,
        displayName: each.display_name,
      }));
      await media.addSubtitles(principal, body.media_id, orders);
      return new Answer(200, Buffer.alloc(0));
    },
  }),
  endpoint({
    ...v1,
    operationId: 'deleteMediaSubtitlesV1',
    summary: 'Removes the subtitles of some languages from a video',
    path: '/1.1/media/subtitles/delete.json',
    body: jsonBody(
      v.object({
        media_id: video,
        media_category: category,
        subtitle_info: subtitleInfo(v.object({ language_code: language })),
      }),
    ),
    handler: async ({ media }, { principal, body }) => {
      const languages = body.subtitle_info.subtitles.map((each) => each.language_code);
      await media.removeSubtitles(principal, body.media_id, languages);
      return new Answer(200, Buffer.alloc(0));
    },
  }),
];
