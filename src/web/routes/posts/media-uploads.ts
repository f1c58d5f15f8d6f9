import { Answer } from '../../../http/answer.js';
import { JSON_TYPE } from '../../../http/problems.js';
import { idInPath } from '../../id-in-path.js';
import {
  beginUpload,
  completeUpload,
  isProcessing,
  requireUsable,
  sendSegment,
  SEGMENT_BYTES,
  uploadOf,
  type WireUpload,
} from '../../posts/media-upload.js';
import type { CreateRoutes } from '../../web-context.js';

/** The path of the uploads of the script. */
const UPLOADS_PATH = '/i/media';

/** The most bytes of a form without its file. */
const FIELDS_BYTES = 64 * 1024;

/**
 * `/i/media`: the script uploads a file while its post is written, in segments: `size` and `type` begin an upload, a form
 * with `index` and `file` adds a segment, `done` completes it, and a GET tells how far its processing is.
 */
export const mediaUploadRoutes: CreateRoutes = (pages) => [
  {
    ...pages.acceptFilesFromUser(UPLOADS_PATH, async ({ api, form }) => {
      const sizeBytes = Number(form.get('size'));
      return answerUpload(await beginUpload(api, form.get('type') ?? '', sizeBytes));
    }),
    maxBodyBytes: FIELDS_BYTES,
  },
  {
    ...pages.acceptFilesFromUser(`${UPLOADS_PATH}/{id}`, async ({ api, form, files, request }) => {
      const id = idInPath({ request });
      const [segment] = files;
      if (segment) await sendSegment(api, id, Number(form.get('index')), segment);
      if (form.get('done') === null) return new Answer(204);
      return answerUpload(await completeUpload(api, id));
    }),
    maxBodyBytes: SEGMENT_BYTES + FIELDS_BYTES,
  },
  pages.showToUser(`${UPLOADS_PATH}/{id}`, async ({ api, request }) =>
    answerUpload(await uploadOf(api, idInPath({ request }))),
  ),
];

/** Answers with an upload; a file that cannot be used is a 400. */
function answerUpload(upload: WireUpload): Answer {
  const { id, media_key: key } = requireUsable(upload);
  const body = JSON.stringify({ id, key, isProcessing: isProcessing(upload) });
  return new Answer(200, body, { 'content-type': JSON_TYPE });
}
