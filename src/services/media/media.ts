import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { UPLOAD_LIFE_MS, type MediaCategory } from '../../core/media.js';
import type { ByteRange } from '../../stores/blobs/blob-store.js';
import type { Tx } from '../../database/engine.js';
import { setAltText } from '../../stores/media.js';
import { reserveBytes } from '../../stores/media-usage.js';
import { insertUpload, type MediaUpload } from '../../stores/media-uploads.js';
import { checkPicture } from './check-picture.js';
import { deleteUnusedMedia } from './delete-unused.js';
import { receiveDraft, type Draft } from './draft.js';
import { failUpload, finishUpload, type FinishDeps } from './finish-upload.js';
import { appendSegment, finalizeUpload, processUpload } from './segments.js';
import { createProfilePictures } from './profile-pictures.js';
import { findServedFile } from './served-file.js';
import { addSubtitles, removeSubtitles, type SubtitleOrder } from './subtitles.js';
import { noSuchMedia, quotaExceeded, requireAllowed, requireSuccess, requireUpload } from './upload-rules.js';
import type { ServiceDeps } from '../service-deps.js';
import type { WholeBlobs } from '../../stores/blobs/whole-blobs.js';

/** The options of a new upload. */
interface UploadOptions {
  readonly category?: MediaCategory;
  /** The type declared by the client; the actual type is detected from the bytes. */
  readonly declaredType?: string;
  /** Users who may use the media besides the uploader. */
  readonly additionalOwners?: readonly UserId[];
}

/** An upload as reported to its owner. */
export interface UploadStatus extends MediaUpload {
  /** The time until the upload, or the media created from it, expires. */
  readonly expiresAfterSeconds: number;
}

/** Media uploads and their processing (docs/api/media.md#uploads, docs/api/posts.md#attachments). */
export type MediaService = ReturnType<typeof createMediaService>;

interface MediaDeps extends FinishDeps, ServiceDeps {
  /** The maximum total size of a user's media on disk. */
  readonly quotaBytes: number;
  /** Whether links of files lead to their store, where it can sign links. */
  readonly linksToStore: boolean;
}

export function createMediaService(deps: MediaDeps) {
  const { blobs, clock } = deps;
  const withExpiry = async (upload: Promise<MediaUpload>): Promise<UploadStatus> => {
    const { expiresAtMs, ...rest } = await upload;
    return { ...rest, expiresAtMs, expiresAfterSeconds: Math.ceil((expiresAtMs - clock()) / 1000) };
  };
  return {
    /** Writes incoming bytes to a draft, which the caller must dispose. Throws 'payload-too-large'. */
    receive: (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number) =>
      receiveDraft(blobs, chunks, maxBytes),
    /** Uploads media in one request. Throws 'invalid-request' for unusable media, and as `initialize` does. */
    upload: (principal: UserPrincipal, draft: Draft, options: UploadOptions) =>
      withExpiry(uploadAtOnce(deps, principal, draft, options)),
    /**
     * Starts a chunked upload. Throws 'invalid-request' when it is too large or lacks a required category, and
     * 'forbidden' when it exceeds the user's quota.
     */
    initialize: (principal: UserPrincipal, options: UploadOptions & { readonly totalBytes: number }) =>
      withExpiry(initialize(deps, principal, options)),
    /** Stores a segment. Segments may arrive in any order and repeatedly. */
    append: ({ userId }: UserPrincipal, id: MediaId, index: number, draft: Draft) =>
      withExpiry(appendSegment(deps, { userId, id, index }, draft)),
    /** Assembles the segments and creates the media, or enqueues a job for videos. Idempotent: returns the status. */
    finalize: ({ userId }: UserPrincipal, id: MediaId) => withExpiry(finalizeUpload(deps, userId, id)),
    /** Returns the status of the user's upload. Throws 'resource-not-found' for an unknown id, as the others do. */
    status: ({ userId }: UserPrincipal, id: MediaId) => withExpiry(requireUpload(deps, userId, id)),
    /** Sets the alternative text of unused media; an empty text removes it. */
    describe: ({ userId }: UserPrincipal, id: MediaId, altText: string) =>
      describe(deps, userId, id, altText),
    /** Adds uploaded subtitles to a video of the user, replacing those of the same languages. */
    addSubtitles: ({ userId }: UserPrincipal, id: MediaId, orders: readonly SubtitleOrder[]) =>
      addSubtitles(deps, userId, id, orders),
    /** Removes the subtitles of these languages from a video of the user. */
    removeSubtitles: ({ userId }: UserPrincipal, id: MediaId, languages: readonly string[]) =>
      removeSubtitles(deps, userId, id, languages),
    /** Creates the media of an upload that `finalize` left to a job. */
    process: (id: MediaId, settle: Parameters<typeof finishUpload>[3]) => processUpload(deps, id, settle),
    /** Deletes expired uploads and unused media with their files. */
    deleteUnused: (signal: AbortSignal) => deleteUnusedMedia(deps, signal),
    /** Checks and re-encodes a picture that is no medium of a post (`check-picture.ts`). */
    checkPicture: (file: { readonly file: string; readonly sizeBytes: number }, parameter: string) =>
      checkPicture(deps, file, parameter),
    /** The pictures and banners of profiles. */
    profiles: createProfilePictures(deps),
    /** Finds a stored file that anyone with its link may fetch; undefined otherwise. */
    findFile: (name: string) => findServedFile(deps, name),
    readFile: (name: string, range?: ByteRange) => blobs.read(name, range),
    /** Returns a link to the store for a file of this type; undefined if this server serves it. */
    linkTo: async (name: string, contentType: string) =>
      deps.linksToStore ? blobs.link(name, contentType) : undefined,
    /** Returns the origin of the links to the store; undefined if this server serves the files. */
    findLinkOrigin: async () => {
      const link = deps.linksToStore ? await blobs.link('1/origin', 'image/png') : undefined;
      return link && new URL(link).origin;
    },
    /** The stored files, for exports and world files. */
    blobs: blobs as WholeBlobs,
    /** Returns the id of the store of files; see `BlobStore`. */
    identify: () => blobs.identify(),
    /** Ends the decoders and closes the file store. */
    close: async () => {
      deps.images.close();
      await blobs.close();
    },
  };
}

async function uploadAtOnce(
  deps: MediaDeps,
  principal: UserPrincipal,
  draft: Draft,
  options: UploadOptions,
): Promise<MediaUpload> {
  if (draft.sizeBytes === 0) throw invalidRequest('media', [], 'The media is empty.');
  const upload = await initialize(deps, principal, { ...options, totalBytes: draft.sizeBytes });
  try {
    await finishUpload(deps, upload, draft);
  } catch (error) {
    // A retry starts a new upload, so this one must release its reserved quota.
    await failUpload(deps, upload, 'The media could not be processed.');
    throw error;
  }
  return requireSuccess(await requireUpload(deps, principal.userId, upload.id));
}

async function initialize(
  { engine, ids, clock, quotaBytes }: MediaDeps,
  { userId }: UserPrincipal,
  options: UploadOptions & { readonly totalBytes: number },
): Promise<MediaUpload> {
  requireAllowed(options);
  const { category, totalBytes, additionalOwners = [] } = options;
  const upload: MediaUpload = {
    id: ids.next<MediaId>(),
    ownerId: userId,
    category,
    totalBytes,
    state: 'receiving',
    expiresAtMs: clock() + UPLOAD_LIFE_MS,
  };
  const begin = async (tx: Tx): Promise<void> => {
    const reservation = { id: upload.id, ownerId: userId, sizeBytes: totalBytes };
    if (!(await reserveBytes(tx, reservation, quotaBytes))) throw quotaExceeded(quotaBytes);
    await insertUpload(tx, upload, additionalOwners);
  };
  await engine.tx('begin upload', begin, 'read-committed');
  return upload;
}

async function describe(
  { engine, clock }: MediaDeps,
  ownerId: UserId,
  id: MediaId,
  altText: string,
): Promise<void> {
  const text = altText === '' ? undefined : altText;
  const set = (tx: Tx) => setAltText(tx, text, id, ownerId, clock());
  if (!(await engine.tx('describe media', set, 'read-committed'))) throw noSuchMedia(id);
}
