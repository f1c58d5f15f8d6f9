import type { Readable } from 'node:stream';
import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { UPLOAD_LIFE_MS, type MediaCategory } from '../../core/media.js';
import type { IdSource } from '../../core/snowflake.js';
import type { ByteRange } from '../../storage/blobs/blob-store.js';
import type { JobQueue } from '../../storage/job-queue.js';
import { setAltText } from '../../storage/media.js';
import {
  findUpload,
  insertUpload,
  listSegments,
  moveUpload,
  putSegment,
  type MediaUpload,
} from '../../storage/media-uploads.js';
import { deleteUnused } from './delete-unused.js';
import { receiveDraft, type Draft } from './draft.js';
import { assemble, finishUpload, segmentName, type FinishDeps } from './finish-upload.js';
import { addSubtitles, removeSubtitles, type SubtitleOrder } from './subtitles.js';
import { isLong, MAX_SEGMENTS, noSuchMedia, requireAllowed, requireComplete } from './upload-rules.js';

/** What an upload is to be. */
export interface UploadOptions {
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

/** Uploads of media and what becomes of them (reference/endpoints.md 16; reference/behaviours.md 4). */
export interface MediaService {
  /** Puts what arrives on disk; throws PipitError `payload-too-large`. Whoever asked removes it. */
  receive(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Draft>;
  /** An upload in one piece. Throws 'invalid-request' for what cannot become media. */
  upload(principal: UserPrincipal, draft: Draft, options: UploadOptions): Promise<UploadStatus>;
  /** Begins an upload in pieces. Throws 'invalid-request' for one that is too large or lacks its category. */
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
  /** The size of a stored file; undefined when there is none by this name. */
  findFileBytes(name: string): Promise<number | undefined>;
  readFile(name: string, range?: ByteRange): Readable;
  /** Ends the store of the files. */
  close(): Promise<void>;
}

export interface MediaDeps extends FinishDeps {
  readonly ids: IdSource;
  readonly queue: JobQueue;
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
    append: ({ userId }, id, index, draft) => told(append(deps, { userId, id, index }, draft)),
    finalize: ({ userId }, id) => told(finalize(deps, userId, id)),
    status: ({ userId }, id) => told(requireUpload(deps, userId, id)),
    describe: ({ userId }, id, altText) => describe(deps, userId, id, altText),
    addSubtitles: ({ userId }, id, orders) => addSubtitles(deps, userId, id, orders),
    removeSubtitles: ({ userId }, id, languages) => removeSubtitles(deps, userId, id, languages),
    process: (id, settle) => processUpload(deps, id, settle),
    deleteUnused: (signal) => deleteUnused(deps, signal),
    findFileBytes: (name) => blobs.findSizeBytes(name),
    readFile: (name, range) => blobs.read(name, range),
    close: () => blobs.close(),
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
  await finishUpload(deps, upload, draft);
  return requireSuccess(await requireUpload(deps, principal.userId, upload.id));
}

async function initialize(
  { engine, ids, clock }: MediaDeps,
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
  await engine.tx('begin upload', (tx) => insertUpload(tx, upload, additionalOwners), 'statements');
  return upload;
}

async function append(
  deps: MediaDeps,
  { userId, id, index }: { readonly userId: UserId; readonly id: MediaId; readonly index: number },
  draft: Draft,
): Promise<MediaUpload> {
  const upload = await requireUpload(deps, userId, id);
  if (upload.state !== 'receiving')
    throw invalidRequest('media_id', [String(id)], 'The upload is finalized.');
  if (!(index >= 0 && index < MAX_SEGMENTS)) {
    throw invalidRequest('segment_index', [String(index)], 'segment_index must be between 0 and 999.');
  }
  if (draft.sizeBytes === 0) throw invalidRequest('media', [], 'The media is empty.');
  const others = (await listSegments(deps.engine, id)).filter((segment) => segment.index !== index);
  const received = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, draft.sizeBytes);
  if (received > upload.totalBytes) {
    const message = `The segments exceed total_bytes: ${received} of ${upload.totalBytes}.`;
    throw invalidRequest('media', [], message);
  }
  await deps.blobs.put(segmentName(id, index), draft.file);
  const segment = { index, sizeBytes: draft.sizeBytes };
  await deps.engine.tx('append segment', (tx) => putSegment(tx, id, segment), 'statements');
  return upload;
}

async function finalize(deps: MediaDeps, userId: UserId, id: MediaId): Promise<MediaUpload> {
  const upload = await requireUpload(deps, userId, id);
  if (upload.state !== 'receiving') return upload;
  const segments = await listSegments(deps.engine, id);
  requireComplete(segments, upload.totalBytes);
  if (isLong(upload.category)) {
    await leaveToJob(deps, upload);
    return requireUpload(deps, userId, id);
  }
  await using draft = await assemble(deps.blobs, id, segments);
  await finishUpload(deps, upload, draft);
  return requireSuccess(await requireUpload(deps, userId, id));
}

async function leaveToJob({ engine, queue }: MediaDeps, upload: MediaUpload): Promise<void> {
  const { id, expiresAtMs } = upload;
  await engine.tx('leave upload to a job', async (tx) => {
    if (!(await moveUpload(tx, id, 'receiving', { state: 'processing', expiresAtMs }))) return;
    await queue.enqueue(tx, { kind: 'process-media', payload: { mediaId: String(id) } });
  });
}

async function processUpload(
  deps: MediaDeps,
  id: MediaId,
  settle: Parameters<typeof finishUpload>[3],
): Promise<void> {
  const upload = await findUpload(deps.engine, id, deps.clock());
  if (upload?.state !== 'processing') return;
  await using draft = await assemble(deps.blobs, id, await listSegments(deps.engine, id));
  await finishUpload(deps, upload, draft, settle);
}

async function requireUpload(
  { engine, clock }: MediaDeps,
  userId: UserId,
  id: MediaId,
): Promise<MediaUpload> {
  const upload = await findUpload(engine, id, clock());
  if (upload?.ownerId !== userId) throw noSuchMedia(id);
  return upload;
}

function requireSuccess(upload: MediaUpload): MediaUpload {
  if (upload.state === 'failed') throw invalidRequest('media', [], upload.failure ?? 'Media is invalid.');
  return upload;
}

async function describe({ engine }: MediaDeps, ownerId: UserId, id: MediaId, altText: string): Promise<void> {
  const media = { id, ownerId, altText: altText === '' ? undefined : altText };
  const isDone = await engine.tx('describe media', (tx) => setAltText(tx, media), 'statements');
  if (!isDone) throw noSuchMedia(id);
}
