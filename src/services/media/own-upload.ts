import type { Clock } from '../../core/clock.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { findUpload, type MediaUpload } from '../../stores/media-uploads.js';
import { noSuchMedia } from './upload-rules.js';

/** Returns the user's upload. Throws the same 'resource-not-found' for missing, expired and others' uploads. */
export async function requireUpload(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  userId: UserId,
  id: MediaId,
): Promise<MediaUpload> {
  const upload = await findUpload(engine, id, clock());
  if (upload?.ownerId !== userId) throw noSuchMedia(id);
  return upload;
}

/** Returns the upload; throws 'invalid-request' when it failed. */
export function requireSuccess(upload: MediaUpload): MediaUpload {
  if (upload.state === 'failed') throw invalidRequest('media', [], upload.failure ?? 'Media is invalid.');
  return upload;
}
