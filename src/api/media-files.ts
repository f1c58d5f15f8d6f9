import { Readable } from 'node:stream';
import { PipitError } from '../core/errors.js';
import { PICTURE_RULES, WHOLE_BANNER } from '../core/profile-picture.js';
import type { MediaService } from '../services/media/media.js';
import { Answer } from '../http/answer.js';
import { isNamedIn } from '../http/entity-tag.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';

type Files = Pick<MediaService, 'findFile' | 'readFile'>;
type LinkedFiles = Files & Pick<MediaService, 'linkTo'>;

/** The names of media to show, pictures of profiles with a size; segments of an upload have no extension. */
export const FILE_NAME = /^[A-Za-z0-9_-]{32}(?:_[a-z0-9_]{1,20})?\.([a-z0-9]+)$/;

/** The name of a banner, which its address has without extension. */
const BANNER_NAME = /^[A-Za-z0-9_-]{32}$/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
};

/** Caches may show deleted or protected media for this long. */
const PUBLIC = 'public, max-age=300, must-revalidate';
/** Only the client may cache the file, and must revalidate it for each use. */
const PRIVATE = 'private, no-cache';

/** A byte range; both ends are inclusive. */
interface Part {
  readonly first: number;
  readonly last: number;
}

/**
 * Serves media files at `/media/`, whole or in part (RFC 9110 section 14). Names cannot be guessed and are disclosed
 * only to users with access to the media, so a name grants access while the media are visible. Files never change under
 * a name. Each request checks visibility, including revalidations: caches keep files for minutes, and shared caches
 * keep only public ones. With `--media-links signed`, it refers clients to the object store after these checks.
 */
export function mediaFiles(media: LinkedFiles): readonly PlainRoute[] {
  const path = '/media/{id}/{file}';
  return [{ method: 'GET', path, handler: (request) => serveFile(media, request) }, bannerFiles(media)];
}

/** Serves banners of profiles, by addresses as in the original: with the name of a size, or whole. */
function bannerFiles(media: LinkedFiles): PlainRoute {
  return {
    method: 'GET',
    path: '/media/{id}/{file}/{size}',
    handler: (request) => {
      const { id = '', file = '', size = '' } = request.path;
      if (!BANNER_NAME.test(file) || !isBannerSize(size)) throw new PipitError({ code: 'route-not-found' });
      return sendFile(
        media,
        { id, file: size === WHOLE_BANNER ? `${file}.jpg` : `${file}_${size}.jpg` },
        request,
      );
    },
  };
}

function isBannerSize(size: string): boolean {
  return size === WHOLE_BANNER || Object.hasOwn(PICTURE_RULES.banner.sizes, size);
}

function serveFile(media: LinkedFiles, request: PlainRequest): Promise<Answer> {
  const { id = '', file = '' } = request.path;
  return sendFile(media, { id, file: BANNER_NAME.test(file) ? `${file}.jpg` : file }, request);
}

async function sendFile(
  media: LinkedFiles,
  place: FilePlace,
  { method, headers }: FileRequest,
): Promise<Answer> {
  const found = await findFile(media, place);
  // The signature of a link is for GET only.
  const location = method === 'GET' ? await media.linkTo(found.name, found.contentType) : undefined;
  if (location === undefined) return answerFound(media, found, { method, headers });
  return new Answer(302, Buffer.alloc(0), { location, 'cache-control': found.cacheControl });
}

/** Returns a file of media, whole or in part. Throws `route-not-found` if it is missing or nobody may see it. */
export async function answerFile(media: Files, place: FilePlace, request: FileRequest): Promise<Answer> {
  return answerFound(media, await findFile(media, place), request);
}

interface FilePlace {
  readonly id: string;
  readonly file: string;
}

type FileRequest = Pick<PlainRequest, 'method' | 'headers'>;

/** A file that may be sent. */
interface FoundFile {
  readonly name: string;
  readonly file: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly cacheControl: string;
}

async function findFile(media: Files, { id, file }: FilePlace): Promise<FoundFile> {
  const contentType = CONTENT_TYPES[FILE_NAME.exec(file)?.[1] ?? ''];
  const name = `${id}/${file}`;
  const found = contentType === undefined ? undefined : await media.findFile(name);
  if (contentType === undefined || !found) throw new PipitError({ code: 'route-not-found' });
  return {
    name: found.name,
    file,
    contentType,
    sizeBytes: found.sizeBytes,
    cacheControl: found.isPublic ? PUBLIC : PRIVATE,
  };
}

async function answerFound(
  media: Files,
  { name, file, contentType, sizeBytes, cacheControl }: FoundFile,
  { method, headers }: FileRequest,
): Promise<Answer> {
  const etag = `"${file}"`;
  const common = { ...safeHeaders(file), 'cache-control': cacheControl, etag, 'content-type': contentType };
  if (isNamedIn(headers['if-none-match'], etag)) return new Answer(304, Buffer.alloc(0), common);
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  // Ranges apply to GET only (RFC 9110 14.2).
  const part = isSame && method === 'GET' ? partOf(headers.range, sizeBytes) : undefined;
  if (part === 'beyond') {
    return new Answer(416, Buffer.alloc(0), { ...common, 'content-range': `bytes */${sizeBytes}` });
  }
  const body = method === 'HEAD' ? Readable.from([]) : await media.readFile(name, part);
  // Deleted since it was found.
  if (!body) throw new PipitError({ code: 'route-not-found' });
  const length = part ? part.last - part.first + 1 : sizeBytes;
  const sent = { ...common, 'content-length': String(length) };
  if (!part) return new Answer(200, body, sent);
  return new Answer(206, body, { ...sent, 'content-range': `bytes ${part.first}-${part.last}/${sizeBytes}` });
}

/** Returns headers that prevent browsers from executing the file or guessing another type. */
function safeHeaders(file: string): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="${file}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** Returns the requested range; undefined for the whole file, also for several or invalid ranges. */
function partOf(range: string | undefined, sizeBytes: number): Part | 'beyond' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? 'beyond' : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const [first, last] = [Number(from), to === '' ? Infinity : Number(to)];
  if (last < first) return undefined;
  return first >= sizeBytes ? 'beyond' : { first, last: Math.min(last, sizeBytes - 1) };
}
