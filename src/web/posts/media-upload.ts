import { invalidRequest, PipitError } from '../../core/errors.js';
import { MAX_PHOTO_BYTES } from '../../core/limits.js';
import { fileBody } from '../api/file-body.js';
import type { WebApi } from '../api/web-api.js';
import type { SentFile } from '../file-form.js';

/** An upload as the API answers it (docs/api/media.md#uploads). */
export interface WireUpload {
  readonly id: string;
  readonly media_key?: string;
  readonly processing_info?: {
    readonly state: 'pending' | 'in_progress' | 'succeeded' | 'failed';
    readonly check_after_secs?: number;
    readonly error?: { readonly message?: string };
  };
}

/** The size of a segment, as pages and their script send them. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

/** How often the processing of a video is asked for before the writer has to come back. */
const MAX_QUESTIONS = 20;

/** Starts the upload of a file of this declared type. */
export async function beginUpload(api: WebApi, type: string, sizeBytes: number): Promise<WireUpload> {
  const { data } = await api.call<WireUpload>('initializeMediaUpload', {
    total_bytes: sizeBytes,
    media_type: type === '' ? 'application/octet-stream' : type,
    media_category: categoryOf(type, sizeBytes),
  });
  return required(data);
}

/** Uploads a segment: these bytes of a file, by default all. */
export async function sendSegment(
  api: WebApi,
  id: string,
  index: number,
  { path, sizeBytes }: Pick<SentFile, 'path' | 'sizeBytes'>,
  start = 0,
): Promise<void> {
  const end = Math.min(start + SEGMENT_BYTES, sizeBytes) - 1;
  const sent = { id, segment_index: index };
  await api.call('appendMediaUpload', sent, fileBody('media', path, { start, end }));
}

/** Completes an upload. Videos are processed afterwards. */
export async function completeUpload(api: WebApi, id: string): Promise<WireUpload> {
  return required((await api.call<WireUpload>('finalizeMediaUpload', { id })).data);
}

/** Returns an upload as it is now. */
export async function uploadOf(api: WebApi, id: string): Promise<WireUpload> {
  return required((await api.call<WireUpload>('getMediaUploadStatus', { media_id: id })).data);
}

/** Uploads a file and waits a while for its processing. Throws the refusals of the API. */
export async function uploadFile(api: WebApi, file: SentFile): Promise<WireUpload> {
  if (file.sizeBytes === 0) throw invalidRequest('media', [], 'The file is empty.');
  const { id } = await beginUpload(api, file.type, file.sizeBytes);
  for (let start = 0; start < file.sizeBytes; start += SEGMENT_BYTES)
    await sendSegment(api, id, start / SEGMENT_BYTES, file, start);
  return processed(api, await completeUpload(api, id));
}

async function processed(api: WebApi, begun: WireUpload): Promise<WireUpload> {
  let upload = begun;
  for (let asked = 0; isProcessing(upload) && asked < MAX_QUESTIONS; asked += 1) {
    const waitMs = 1000 * (upload.processing_info?.check_after_secs ?? 1);
    await new Promise((resolve) => setTimeout(resolve, asked === 0 ? waitMs / 10 : waitMs));
    upload = await uploadOf(api, begun.id);
  }
  return requireUsable(upload);
}

/** Reports whether an upload is still being processed. */
export function isProcessing({ processing_info: info }: WireUpload): boolean {
  return info?.state === 'pending' || info?.state === 'in_progress';
}

/** Returns the upload. Throws 'invalid-request' if its processing failed. */
export function requireUsable(upload: WireUpload): WireUpload {
  if (upload.processing_info?.state !== 'failed') return upload;
  throw invalidRequest('media', [], upload.processing_info.error?.message ?? 'The media could not be used.');
}

/** Returns the category of a file: the content decides between a photo and a small animated picture. */
function categoryOf(type: string, sizeBytes: number): string {
  if (/^video\//i.test(type)) return 'tweet_video';
  return /^image\/gif\b/i.test(type) && sizeBytes > MAX_PHOTO_BYTES ? 'tweet_gif' : 'tweet_image';
}

function required(upload: WireUpload | undefined): WireUpload {
  if (!upload) throw new PipitError({ code: 'internal' });
  return upload;
}
