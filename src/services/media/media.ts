import type { ProcessMediaPayload } from '../../core/jobs.js';
import type { JobHandler } from '../jobs/handler.js';
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
export interface MediaService {
  /** Writes incoming bytes to a draft, which the caller must dispose. Throws 'payload-too-large'. */
  receive(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Draft>;
  /** Uploads media in one request. Throws 'invalid-request' for unusable media, and as `initialize` does. */
  upload(principal: UserPrincipal, draft: Draft, options: UploadOptions): Promise<UploadStatus>;
  /**
   * Starts a chunked upload. Throws 'invalid-request' when it is too large or lacks a required category, and
   * 'forbidden' when it exceeds the user's quota.
   */
  initialize(
    principal: UserPrincipal,
    options: UploadOptions & { readonly totalBytes: number },
  ): Promise<UploadStatus>;
  /** Stores a segment. Segments may arrive in any order and repeatedly. */
  append(principal: UserPrincipal, id: MediaId, index: number, draft: Draft): Promise<UploadStatus>;
  /** Assembles the segments and creates the media, or enqueues a job for videos. Idempotent: returns the status. */
  finalize(principal: UserPrincipal, id: MediaId): Promise<UploadStatus>;
  /** Returns the status of the user's upload. Throws 'resource-not-found' for an unknown id, as the others do. */
  status(principal: UserPrincipal, id: MediaId): Promise<UploadStatus>;
  /** Sets the alternative text of unused media; an empty text removes it. */
  describe(principal: UserPrincipal, id: MediaId, altText: string): Promise<void>;
  /** Adds uploaded subtitles to a video of the user, replacing those of the same languages. */
  addSubtitles(principal: UserPrincipal, id: MediaId, orders: readonly SubtitleOrder[]): Promise<void>;
  /** Removes the subtitles of these languages from a video of the user. */
  removeSubtitles(principal: UserPrincipal, id: MediaId, languages: readonly string[]): Promise<void>;
  /** Creates the media of an upload that `finalize` left to a job. */
  process(id: MediaId, settle: Parameters<typeof finishUpload>[3]): Promise<void>;
  /** Deletes expired uploads and unused media with their files. */
  deleteUnused(signal: AbortSignal): Promise<void>;
  /** Finds a stored file that anyone with its link may fetch; undefined otherwise. */
  findFile(name: string): Promise<ServedFile | undefined>;
  readFile(name: string, range?: ByteRange): Readable;
  /** Ends the decoders and closes the file store. */
  close(): Promise<void>;
}

export interface MediaDeps extends FinishDeps {
  readonly ids: IdSource;
  readonly queue: JobQueue;
  /** The maximum total size of a user's media on disk. */
  readonly quotaBytes: number;
}

export function createMediaService(deps: MediaDeps): MediaService {
  const { blobs, clock } = deps;
  const withExpiry = async (upload: Promise<MediaUpload>): Promise<UploadStatus> => {
    const { expiresAtMs, ...rest } = await upload;
    return { ...rest, expiresAtMs, expiresAfterSeconds: Math.ceil((expiresAtMs - clock()) / 1000) };
  };
  return {
    receive: (chunks, maxBytes) => receiveDraft(blobs, chunks, maxBytes),
    upload: (principal, draft, options) => withExpiry(uploadAtOnce(deps, principal, draft, options)),
    initialize: (principal, options) => withExpiry(initialize(deps, principal, options)),
    append: ({ userId }, id, index, draft) => withExpiry(appendSegment(deps, { userId, id, index }, draft)),
    finalize: ({ userId }, id) => withExpiry(finalizeUpload(deps, userId, id)),
    status: ({ userId }, id) => withExpiry(requireUpload(deps, userId, id)),
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
  const media = { id, ownerId, altText: altText === '' ? undefined : altText, nowMs: clock() };
  const isDone = await engine.tx('describe media', (tx) => setAltText(tx, media), 'read-committed');
  if (!isDone) throw noSuchMedia(id);
}

/**
 * Creates the handler that processes complete uploads. The job completes in the transaction that ends the upload;
 * after a crash it starts again from the segments.
 */
export function createMediaProcessing(deps: {
  readonly media: Pick<MediaService, 'process'>;
}): JobHandler<ProcessMediaPayload> {
  return (run) => {
    const id = BigInt(run.payload.mediaId) as MediaId;
    return deps.media.process(id, (tx) => run.completeIn(tx));
  };
}
