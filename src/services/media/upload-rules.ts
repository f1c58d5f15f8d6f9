import { forbidden, invalidRequest, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { Clock } from '../../core/clock.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { MAX_PHOTO_BYTES, MAX_VIDEO_BYTES } from '../../core/limits.js';
import { maxBytesOf, type MediaCategory, type ShownCategory } from '../../core/media.js';
import type { Engine } from '../../database/engine.js';
import { findUpload, type MediaUpload, type Segment } from '../../stores/media-uploads.js';
import { WITHOUT_CATEGORY } from './prepare-media.js';

/** The declared properties of an upload. */
export interface Announcement {
  readonly totalBytes: number;
  readonly category?: MediaCategory;
  /** The type declared by the client; the actual type is detected from the bytes. */
  readonly declaredType?: string;
}

/**
 * Throws 'invalid-request' for an upload that is too large, and for a video or a large animated image without a
 * category (docs/api/errors.md#problems).
 */
export function requireAllowed({ totalBytes, category, declaredType = '' }: Announcement): void {
  const isMoving = /^video\//i.test(declaredType) || isLargeGif(declaredType, totalBytes);
  if (category === undefined && isMoving) throw invalidRequest('media_category', [], WITHOUT_CATEGORY);
  const maxBytes = category === undefined ? MAX_VIDEO_BYTES : maxBytesOf(category);
  if (totalBytes > maxBytes) {
    throw invalidRequest('total_bytes', [String(totalBytes)], `File size exceeds ${maxBytes} bytes.`);
  }
}

function isLargeGif(declaredType: string, totalBytes: number): boolean {
  return /^image\/gif\b/i.test(declaredType) && totalBytes > MAX_PHOTO_BYTES;
}

/** Throws 'invalid-request' unless all segments are present and add up to the announced size. */
export function requireComplete(segments: readonly Segment[], totalBytes: number): void {
  const gap = segments.findIndex(({ index }, at) => index !== at);
  if (gap !== -1) throw missingSegment(gap);
  const received = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (received !== totalBytes) {
    const message = `Segments do not add up to provided total file size: ${received} of ${totalBytes} bytes.`;
    throw invalidRequest('total_bytes', [String(totalBytes)], message);
  }
}

export function missingSegment(index: number): PipitError {
  return invalidRequest('segment_index', [String(index)], `Segment ${index} is missing.`);
}

/** Returns the 403 for a user whose media would exceed the quota. */
export function quotaExceeded(quotaBytes: number): PipitError {
  return forbidden(
    `Your media may use at most ${quotaBytes} bytes in total. Delete posts with media, or wait for unused uploads to expire.`,
  );
}

/** Returns the same error for missing, expired and others' media. */
export function noSuchMedia(id: MediaId): PipitError {
  return resourceNotFound({ resourceType: 'media', parameter: 'media_id', value: String(id) });
}

/** Reports whether an upload may be a video, which a job processes. */
export function isLong(category: MediaCategory | undefined): boolean {
  return category === 'tweet_video' || category === 'amplify_video' || category === 'dm_video';
}

/** Returns the requested category of media; undefined when none was requested, or for subtitles. */
export function shownCategory(category: MediaCategory | undefined): ShownCategory | undefined {
  return category === 'subtitles' ? undefined : category;
}

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
