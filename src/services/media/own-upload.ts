import type { Clock } from '../../core/clock.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { findUpload, type MediaUpload } from '../../stores/media-uploads.js';
import { noSuchMedia } from './upload-rules.js';

/** The user's upload. Throws 'resource-not-found' for what is missing, expired, and others'. */
export async function requireUpload(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  userId: UserId,
  id: MediaId,
): Promise<MediaUpload> {
  const upload = await findUpload(engine, id, clock());
  if (upload?.ownerId !== userId) throw noSuchMedia(id);
  return upload;
}

/** The upload, unless it failed: then that is thrown, as 'invalid-request'. */
export function requireSuccess(upload: MediaUpload): MediaUpload {
  if (upload.state === 'failed') throw invalidRequest('media', [], upload.failure ?? 'Media is invalid.');
  return upload;
}
