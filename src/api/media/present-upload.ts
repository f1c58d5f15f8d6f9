import { mediaKeyOf, mediaTypeOf } from '../../core/media.js';
import type { UploadStatus } from '../../services/media/media.js';
import { JSON_TYPE } from '../../http/problems.js';
import { Answer } from '../../http/answer.js';

/** The suggested delay before a client polls again; jobs start at once. */
const CHECK_AFTER_SECONDS = 1;

type Wire = Readonly<Record<string, unknown>>;

/** Returns the wire object of an upload on `/2/` paths (docs/api/media.md#uploads). */
export function presentUpload(upload: UploadStatus): Wire {
  return { id: String(upload.id), ...described(upload), ...image(upload), ...processing(upload) };
}

/**
 * Returns the answer for an upload on `/1.1/` paths, with ids both as numbers and strings
 * (docs/api/media.md#uploads).
 */
export function answerV1Upload(status: number, upload: UploadStatus): Answer {
  const { id } = upload;
  const rest = {
    media_id_string: String(id),
    ...described(upload),
    ...(upload.facts && isVideo(upload)
      ? { video: { video_type: upload.facts.contentType } }
      : image(upload)),
    ...processing(upload),
  };
  // Ids exceed the precision of JavaScript numbers.
  const text = `{"media_id":${id},${JSON.stringify(rest).slice(1)}`;
  return new Answer(status, text, { 'content-type': JSON_TYPE });
}

function described({ id, category, facts, expiresAfterSeconds }: UploadStatus): Wire {
  const isShown = category !== undefined && category !== 'subtitles';
  return {
    media_key: facts?.mediaKey ?? (isShown ? mediaKeyOf(category, id) : undefined),
    size: facts?.sizeBytes,
    expires_after_secs: expiresAfterSeconds,
  };
}

function image(upload: UploadStatus): Wire {
  const { facts } = upload;
  if (facts?.width === undefined || isVideo(upload)) return {};
  return { image: { w: facts.width, h: facts.height, image_type: facts.contentType } };
}

function isVideo({ category, facts }: UploadStatus): boolean {
  if (facts) return facts.contentType.startsWith('video/');
  return category !== undefined && category !== 'subtitles' && mediaTypeOf(category) === 'video';
}

/** Photos are processed before the first answer, which therefore omits the processing state. */
function processing({ state, failure, facts }: UploadStatus): Wire {
  switch (state) {
    case 'receiving':
      return {};
    case 'processing':
      return { processing_info: { state: 'pending', check_after_secs: CHECK_AFTER_SECONDS } };
    case 'failed':
      return {
        processing_info: {
          state: 'failed',
          progress_percent: 0,
          error: { code: 1, name: 'InvalidMedia', message: failure },
        },
      };
    case 'succeeded':
      return facts && /^(?:video\/|image\/gif)/.test(facts.contentType)
        ? { processing_info: { state: 'succeeded', progress_percent: 100 } }
        : {};
  }
}
