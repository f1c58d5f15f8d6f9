import { open, readFile } from 'node:fs/promises';
import { MAX_GIF_BYTES } from '../../core/limits.js';
import { categoryOfContent, maxBytesOf, mediaTypeOf, type ShownCategory } from '../../core/media.js';
import type { MediaType } from '../../core/post.js';
import type { Draft } from './draft.js';
import { readGif, requireAllowedGif, writeGif } from './gif.js';
import type { Images } from './images.js';
import type { PhotoFormat, Size } from './picture-sizes.js';
import { MediaRefused } from './media-refused.js';
import { blankPrivateBoxes, type Videos } from './video.js';

/** A file to be stored, and the extension of its name. */
interface PreparedFile {
  readonly file: string;
  readonly extension: string;
}

/** An upload in the form in which it is stored and served. */
export interface Prepared {
  readonly category: ShownCategory;
  readonly type: MediaType;
  /** Detected from the bytes. */
  readonly contentType: string;
  readonly size: Size;
  readonly durationMs?: number;
  readonly main: PreparedFile;
  readonly preview?: PreparedFile;
}

/** Decoders, shared by all uploads of a process so that few run at once. */
export interface PrepareDeps {
  readonly images: Images;
  readonly videos: Videos;
}

/** The types that are accepted, as detected from the first bytes. */
const PHOTOS: Readonly<Record<string, PhotoFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
};
const VIDEOS: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v']);

const EXTENSIONS: Readonly<Record<PhotoFormat, string>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'png',
};

/** More than any file signature needs. */
const SIGNATURE_BYTES = 4_100;

export const WITHOUT_CATEGORY =
  'The media_category parameter (for example tweet_gif or tweet_video) must be supplied for a video or a large animated image.';

/** The requested and the detected media. */
interface Claim {
  readonly upload: Draft;
  readonly contentType: string;
  readonly requested: ShownCategory | undefined;
  readonly newFile: () => Promise<string>;
}

/**
 * Detects the type of an upload and prepares it for storage: re-encodes photos, strips metadata from animated images
 * and overwrites metadata in videos. `newFile` creates drafts; the caller deletes those that are not stored. Throws
 * MediaRefused.
 */
export async function prepareMedia(
  deps: PrepareDeps,
  upload: Draft,
  requested: ShownCategory | undefined,
  newFile: () => Promise<string>,
): Promise<Prepared> {
  const contentType = await detectType(upload.file);
  const claim = { upload, contentType, requested, newFile };
  const photo = PHOTOS[contentType];
  if (photo !== undefined) return preparePhoto(deps, claim, photo);
  if (contentType === 'image/gif') return prepareGif(deps, claim);
  if (VIDEOS.has(contentType)) return prepareVideo(deps, claim);
  throw new MediaRefused('media type unrecognized.');
}

/** Returns the format of a still or animated picture. Throws MediaRefused for other files. */
export async function detectPhoto(file: string): Promise<PhotoFormat> {
  const contentType = await detectType(file);
  const format = contentType === 'image/gif' ? 'gif' : PHOTOS[contentType];
  if (format === undefined) throw new MediaRefused('media type unrecognized.');
  return format;
}

/** Detects the type from the first bytes; returns '' when it is unknown. */
async function detectType(file: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    return (await fileTypeFromBuffer(buffer.subarray(0, bytesRead)))?.mime ?? '';
  } catch {
    // Input that the detector cannot parse is of an unknown type.
    return '';
  } finally {
    await handle.close();
  }
}

async function preparePhoto(deps: PrepareDeps, claim: Claim, format: PhotoFormat): Promise<Prepared> {
  const { upload, requested } = claim;
  // An animated PNG is stored as its default image.
  const contentType = claim.contentType === 'image/apng' ? 'image/png' : claim.contentType;
  const category = settle(requested, 'photo', upload.sizeBytes);
  const file = await claim.newFile();
  const size = await deps.images.rewritePhoto(upload.file, format, file);
  return { category, type: 'photo', contentType, size, main: { file, extension: EXTENSIONS[format] } };
}

async function prepareGif(deps: PrepareDeps, claim: Claim): Promise<Prepared> {
  const { upload, contentType, requested } = claim;
  if (upload.sizeBytes > MAX_GIF_BYTES) throw tooLarge(MAX_GIF_BYTES);
  const bytes = await readFile(upload.file);
  const gif = readGif(bytes);
  if (gif.frames === 0) throw new MediaRefused('The GIF image has no frames.');
  const isAskedFor = requested !== undefined && mediaTypeOf(requested) === 'animated_gif';
  if (gif.frames === 1 && !isAskedFor) return preparePhoto(deps, claim, 'gif');
  const category = settle(requested, 'animated_gif', upload.sizeBytes);
  requireAllowedGif(gif);
  const [file, preview] = [await claim.newFile(), await claim.newFile()];
  await writeGif(bytes, gif, file);
  await deps.images.writeFirstFrame(file, preview);
  return {
    category,
    type: 'animated_gif',
    contentType,
    size: { width: gif.width, height: gif.height },
    main: { file, extension: 'gif' },
    preview: { file: preview, extension: 'png' },
  };
}

async function prepareVideo(deps: PrepareDeps, { upload, requested, newFile }: Claim): Promise<Prepared> {
  const category = settle(requested, 'video', upload.sizeBytes);
  const report = await deps.videos.probe(upload.file);
  await blankPrivateBoxes(upload.file, report);
  const size = { width: report.width, height: report.height };
  const preview = await newFile();
  await deps.images.writePlaceholder(size, preview);
  return {
    category,
    type: 'video',
    contentType: report.isQuickTime ? 'video/quicktime' : 'video/mp4',
    size,
    durationMs: report.durationMs,
    main: { file: upload.file, extension: report.isQuickTime ? 'mov' : 'mp4' },
    preview: { file: preview, extension: 'png' },
  };
}

function settle(requested: ShownCategory | undefined, content: MediaType, sizeBytes: number): ShownCategory {
  const category = categoryOfContent(requested, content, sizeBytes);
  if (category === undefined && requested === undefined) throw new MediaRefused(WITHOUT_CATEGORY);
  if (category === undefined) {
    throw new MediaRefused(
      `The file does not match the media_category ${requested}: it contains a ${content}.`,
    );
  }
  if (sizeBytes > maxBytesOf(category)) throw tooLarge(maxBytesOf(category));
  return category;
}

function tooLarge(maxBytes: number): MediaRefused {
  return new MediaRefused(`File size exceeds ${maxBytes} bytes.`);
}
