import type { Readable } from 'node:stream';
import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { UPLOAD_LIFE_MS, type MediaCategory } from '../../core/media.js';
import type { IdSource } from '../../core/snowflake.js';
import type { ByteRange } from '../../stores/blobs/blob-store.js';
import type { Tx } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { setAltText } from '../../stores/media.js';
import { reserveBytes } from '../../stores/media-usage.js';
import { insertUpload, type MediaUpload } from '../../stores/media-uploads.js';
import { deleteUnused } from './delete-unused.js';
import { receiveDraft, type Draft } from './draft.js';
import { failUpload, finishUpload, type FinishDeps } from './finish-upload.js';
import { requireSuccess, requireUpload } from './own-upload.js';
import { appendSegment, finalizeUpload, processUpload } from './segments.js';
import { findServedFile, type ServedFile } from './served-file.js';
import { addSubtitles, removeSubtitles, type SubtitleOrder } from './subtitles.js';
import { noSuchMedia, quotaExceeded, requireAllowed } from './upload-rules.js';

/** What an upload is to be. */
interface UploadOptions {
  readonly category?: MediaCategory;
  /** The type that the client names; what counts is in the bytes. */
  readonly declaredType?: string;
  /** Users who may use the media beside the one who uploads. */
  readonly additionalOwners?: readonly UserId[];
}

/** An upload as its owner is told of it. */
export interface UploadStatus extends MediaUpload {
  /** How long the upload, or the media that came of it, can be used. */
  readonly expiresAfterSeconds: number;
}

/** Uploads of media and what becomes of them (docs/api/media.md#uploads; docs/api/posts.md#attachments). */
export interface MediaService {
  /** Puts what arrives on disk; throws PipitError `payload-too-large`. Whoever asked removes it. */
  receive(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Draft>;
  /** An upload in one piece. Throws 'invalid-request' for what cannot become media, else as `initialize`. */
  upload(principal: UserPrincipal, draft: Draft, options: UploadOptions): Promise<UploadStatus>;
  /**
   * Begins an upload in pieces. Throws 'invalid-request' for one that is too large or lacks its category, 'forbidden' when
   * the user's media would take more than the quota.
   */
  initialize(
    principal: UserPrincipal,
    options: UploadOptions & { readonly totalBytes: number },
  ): Promise<UploadStatus>;
  /** Takes a piece; in any order, and again when it is sent again. */
  append(principal: UserPrincipal, id: MediaId, index: number, draft: Draft): Promise<UploadStatus>;
  /** Puts the pieces together and makes media of them: at once, or for videos in a job. Repeated, it tells the state. */
  finalize(principal: UserPrincipal, id: MediaId): Promise<UploadStatus>;
  /** The state of the user's upload. Throws 'resource-not-found', as the others do, when it has none by this id. */
  status(principal: UserPrincipal, id: MediaId): Promise<UploadStatus>;
  /** Describes media that nothing shows yet; an empty text takes the description away. */
  describe(principal: UserPrincipal, id: MediaId, altText: string): Promise<void>;
  /** Gives a video of the user subtitles that the user uploaded, in the place of those of the same languages. */
  addSubtitles(principal: UserPrincipal, id: MediaId, orders: readonly SubtitleOrder[]): Promise<void>;
  /** Takes the subtitles of these languages from a video of the user. */
  removeSubtitles(principal: UserPrincipal, id: MediaId, languages: readonly string[]): Promise<void>;
  /** Makes media of an upload that `finalize` left to a job. */
  process(id: MediaId, settle: Parameters<typeof finishUpload>[3]): Promise<void>;
  /** Removes uploads whose day is over and media that nothing shows any more, with their files. */
  deleteUnused(signal: AbortSignal): Promise<void>;
  /** Finds a stored file that may be sent to whoever has its link; undefined for all others. */
  findFile(name: string): Promise<ServedFile | undefined>;
  readFile(name: string, range?: ByteRange): Readable;
  /** Ends the decoders and the store of the files. */
  close(): Promise<void>;
}

export interface MediaDeps extends FinishDeps {
  readonly ids: IdSource;
  readonly queue: JobQueue;
  /** What the media of one user may take on disk. */
  readonly quotaBytes: number;
}

export function createMediaService(deps: MediaDeps): MediaService {
  const { blobs, clock } = deps;
  const told = async (upload: Promise<MediaUpload>): Promise<UploadStatus> => {
    const { expiresAtMs, ...rest } = await upload;
    return { ...rest, expiresAtMs, expiresAfterSeconds: Math.ceil((expiresAtMs - clock()) / 1000) };
  };
  return {
    receive: (chunks, maxBytes) => receiveDraft(blobs, chunks, maxBytes),
    upload: (principal, draft, options) => told(uploadWhole(deps, principal, draft, options)),
    initialize: (principal, options) => told(initialize(deps, principal, options)),
    append: ({ userId }, id, index, draft) => told(appendSegment(deps, { userId, id, index }, draft)),
    finalize: ({ userId }, id) => told(finalizeUpload(deps, userId, id)),
    status: ({ userId }, id) => told(requireUpload(deps, userId, id)),
    describe: ({ userId }, id, altText) => describe(deps, userId, id, altText),
    addSubtitles: ({ userId }, id, orders) => addSubtitles(deps, userId, id, orders),
    removeSubtitles: ({ userId }, id, languages) => removeSubtitles(deps, userId, id, languages),
    process: (id, settle) => processUpload(deps, id, settle),
    deleteUnused: (signal) => deleteUnused(deps, signal),
    findFile: (name) => findServedFile(deps, name),
    readFile: (name, range) => blobs.read(name, range),
    close: async () => {
      deps.images.close();
      await blobs.close();
    },
  };
}

async function uploadWhole(
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
    // Whoever tries again begins another upload: this one keeps no room.
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
  const media = { id, ownerId, altText: altText === '' ? undefined : altText, nowMs: clock() };
  const isDone = await engine.tx('describe media', (tx) => setAltText(tx, media), 'read-committed');
  if (!isDone) throw noSuchMedia(id);
}
