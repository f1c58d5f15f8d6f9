import { count, id, object, oneOf, text } from '../../core/json-schema.js';

const processingInfo = object(
  {
    state: oneOf('pending', 'in_progress', 'succeeded', 'failed'),
    check_after_secs: count,
    progress_percent: count,
    error: object({ code: count, name: text, message: text }),
  },
  ['state'],
);

/** An upload, and the media that came of it (docs/api/media.md#uploads). */
export const mediaUpload = object(
  {
    id,
    media_key: { type: 'string', pattern: '^([0-9]+)_([0-9]+)$' },
    size: count,
    expires_after_secs: count,
    image: object({ w: count, h: count, image_type: text }),
    processing_info: processingInfo,
  },
  ['id', 'expires_after_secs'],
);

/** The same in the older interface (16.1). */
export const v1MediaUpload = object(
  {
    media_id: { type: 'integer' },
    media_id_string: id,
    media_key: text,
    size: count,
    expires_after_secs: count,
    image: object({ w: count, h: count, image_type: text }),
    video: object({ video_type: text }),
    processing_info: processingInfo,
  },
  ['media_id', 'media_id_string', 'expires_after_secs'],
);
