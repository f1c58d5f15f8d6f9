import { count, id, object, oneOf, schemaOf, text, type ValueOf } from '../../core/json-schema.js';
import { mediaKeyOf, mediaTypeOf } from '../../core/media.js';
import { Answer } from '../../http/answer.js';
import { JSON_TYPE } from '../../http/problems.js';
import type { UploadStatus } from '../../services/media/media.js';
import { byDefault, required, unshown, type Fields } from '../../views/wire/field.js';
import { presenter } from '../../views/wire/presenter.js';

/** How soon a client should ask again; jobs begin at once. */
const CHECK_AFTER_SECONDS = 1;

const image = object({ w: count, h: count, image_type: text });
const processingInfo = object(
  {
    state: oneOf('pending', 'in_progress', 'succeeded', 'failed'),
    check_after_secs: count,
    progress_percent: count,
    error: object({ code: count, name: text, message: text }),
  },
  ['state'],
);

/** An upload on `/2/` paths, and its media (docs/api/media.md#uploads). */
export const uploadFields = {
  id: required(id, (upload) => String(upload.id)),
  media_key: byDefault(schemaOf('string', { pattern: '^([0-9]+)_([0-9]+)$' }), keyOf),
  size: byDefault(count, ({ facts }) => facts?.sizeBytes),
  expires_after_secs: required(count, ({ expiresAfterSeconds }) => expiresAfterSeconds),
  image: byDefault(image, imageOf),
  processing_info: byDefault(processingInfo, processingOf),
} satisfies Fields<UploadStatus>;

/** An upload on `/1.1/` paths, where ids are numbers as well as texts. */
export const uploadV1Fields = {
  media_id: { ...unshown(schemaOf('integer')), shown: 'always' },
  media_id_string: uploadFields.id,
  media_key: byDefault(text, keyOf),
  size: uploadFields.size,
  expires_after_secs: uploadFields.expires_after_secs,
  image: uploadFields.image,
  video: byDefault(object({ video_type: text }), (upload) =>
    upload.facts && isVideo(upload) ? { video_type: upload.facts.contentType } : undefined,
  ),
  processing_info: uploadFields.processing_info,
} satisfies Fields<UploadStatus>;

export const presentUpload = presenter(uploadFields, new Set());
const presentUploadV1 = presenter(uploadV1Fields, new Set());

/** Answers with an upload on `/1.1/` paths. */
export function answerV1Upload(status: number, upload: UploadStatus): Answer {
  // An id has more digits than a JavaScript number.
  const text = `{"media_id":${upload.id},${JSON.stringify(presentUploadV1(upload)).slice(1)}`;
  return new Answer(status, text, { 'content-type': JSON_TYPE });
}

function keyOf({ id, category, facts }: UploadStatus): string | undefined {
  const isShown = category !== undefined && category !== 'subtitles';
  return facts?.mediaKey ?? (isShown ? mediaKeyOf(category, id) : undefined);
}

function imageOf(upload: UploadStatus): ValueOf<typeof image> | undefined {
  const { facts } = upload;
  if (facts?.width === undefined || isVideo(upload)) return undefined;
  return { w: facts.width, h: facts.height, image_type: facts.contentType };
}

function isVideo({ category, facts }: UploadStatus): boolean {
  if (facts) return facts.contentType.startsWith('video/');
  return category !== undefined && category !== 'subtitles' && mediaTypeOf(category) === 'video';
}

/** Returns the state of the processing: none of photos, which are processed before they are answered. */
function processingOf({ state, failure, facts }: UploadStatus): ValueOf<typeof processingInfo> | undefined {
  switch (state) {
    case 'receiving':
      return undefined;
    case 'processing':
      return { state: 'pending', check_after_secs: CHECK_AFTER_SECONDS };
    case 'failed':
      return {
        state: 'failed',
        progress_percent: 0,
        error: { code: 1, name: 'InvalidMedia', message: failure },
      };
    case 'succeeded':
      return facts && /^(?:video\/|image\/gif)/.test(facts.contentType)
        ? { state: 'succeeded', progress_percent: 100 }
        : undefined;
  }
}
