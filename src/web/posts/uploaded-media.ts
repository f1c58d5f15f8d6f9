import { PipitError } from '../../core/errors.js';
import type { WireMedia } from '../api/objects.js';
import type { WebApi } from '../api/web-api.js';
import { isProcessing, uploadOf } from './media-upload.js';

/** An upload that a composer shows. */
export interface Upload extends Omit<WireMedia, 'type'> {
  /** Undefined while it is being processed, as videos are for a while. */
  readonly type?: WireMedia['type'];
}

/** Uploads by media key. */
export type UploadedMedia = ReadonlyMap<string, Upload>;

const MEDIA_KEY = /^[0-9]{1,3}_[0-9]{1,19}$/;

/** The most keys of one lookup. */
const MAX_LOOKUP = 100;

/** Returns the uploads with these keys; those that are not there any more, or not the user's, are missing. */
export async function findUploads(api: WebApi, keys: readonly string[]): Promise<UploadedMedia> {
  const known = [...new Set(keys)].filter((key) => MEDIA_KEY.test(key)).slice(0, MAX_LOOKUP);
  if (known.length === 0) return new Map();
  const { data = [] } = await api.call<WireMedia[]>('getMediaByMediaKeys', {
    media_keys: known,
    'media.fields': ['alt_text', 'height', 'preview_image_url', 'type', 'url', 'variants', 'width'],
  });
  const found = new Map<string, Upload>(data.map((media) => [media.media_key, media]));
  for (const key of known)
    if (!found.has(key) && (await isBeingProcessed(api, key))) found.set(key, { media_key: key });
  return found;
}

async function isBeingProcessed(api: WebApi, key: string): Promise<boolean> {
  try {
    return isProcessing(await uploadOf(api, uploadIdOf(key)));
  } catch (error) {
    if (error instanceof PipitError && error.failure.code === 'resource-not-found') return false;
    throw error;
  }
}

/** Returns the id of an upload, which is the last part of its media key. */
export function uploadIdOf(key: string): string {
  return key.slice(key.indexOf('_') + 1);
}
