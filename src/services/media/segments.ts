import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import {
  findUpload,
  listSegments,
  moveUpload,
  noteSegment,
  type MediaUpload,
  type Segment,
} from '../../stores/media-uploads.js';
import type { Draft } from './draft.js';
import {
  assemble,
  failUpload,
  findLost,
  finishUpload,
  segmentName,
  type FinishDeps,
} from './finish-upload.js';
import { MAX_SEGMENTS } from '../../core/limits.js';
import { isLong, missingSegment, requireComplete, requireSuccess, requireUpload } from './upload-rules.js';
import type { ServiceDeps } from '../service-deps.js';

/**
 * With exponential backoff (services/jobs/backoff.ts) this gives about eight minutes; the client polls the status.
 */
const PROCESS_ATTEMPTS = 10;

export type SegmentDeps = FinishDeps & Pick<ServiceDeps, 'queue'>;

/**
 * Stores a segment of the user's upload. Records it first, so that the total never exceeds the announced size. Throws
 * 'resource-not-found', and 'invalid-request' for an invalid segment or an ended upload.
 */
export async function appendSegment(
  deps: SegmentDeps,
  { userId, id, index }: { readonly userId: UserId; readonly id: MediaId; readonly index: number },
  draft: Draft,
): Promise<MediaUpload> {
  requireReceiving(await requireUpload(deps, userId, id));
  if (!(index >= 0 && index < MAX_SEGMENTS)) {
    throw invalidRequest('segment_index', [String(index)], 'segment_index must be between 0 and 999.');
  }
  if (draft.sizeBytes === 0) throw invalidRequest('media', [], 'The media is empty.');
  const segment = { index, sizeBytes: draft.sizeBytes };
  const isNoted = await deps.engine.tx('note segment', (tx) => noteSegment(tx, id, segment));
  if (!isNoted) {
    const { totalBytes } = requireReceiving(await requireUpload(deps, userId, id));
    throw invalidRequest('media', [], `The segments exceed total_bytes: ${totalBytes}.`);
  }
  await deps.blobs.put(segmentName(id, index), draft.file);
  return keepIfReceiving(deps, userId, id, segment);
}

/**
 * Deletes a segment that arrived after its upload ended, because nothing else would delete it. Also deletes a segment
 * that another one has replaced, so that stored segments match the recorded ones. Segments that arrive during
 * processing are deleted with the upload.
 */
async function keepIfReceiving(
  deps: SegmentDeps,
  userId: UserId,
  id: MediaId,
  { index, sizeBytes }: Segment,
): Promise<MediaUpload> {
  const upload = await requireUpload(deps, userId, id);
  if (upload.state === 'succeeded' || upload.state === 'failed') {
    await deps.blobs.delete(segmentName(id, index));
  } else if (upload.state === 'receiving') {
    const noted = (await listSegments(deps.engine, id)).find((each) => each.index === index);
    if (noted?.sizeBytes !== sizeBytes) await deps.blobs.delete(segmentName(id, index));
  }
  return requireReceiving(upload);
}

function requireReceiving(upload: MediaUpload): MediaUpload {
  if (upload.state === 'receiving') return upload;
  throw invalidRequest('media_id', [String(upload.id)], 'The upload is finalized.');
}

/**
 * Finalizes the user's upload. Other media than videos are processed at once; videos by `processUpload` in a job.
 * Idempotent, also when called concurrently: returns the upload. Throws as `appendSegment` does, and
 * 'invalid-request' for unusable media.
 */
export async function finalizeUpload(deps: SegmentDeps, userId: UserId, id: MediaId): Promise<MediaUpload> {
  const upload = await requireUpload(deps, userId, id);
  if (upload.state !== 'receiving') return upload;
  try {
    await finalizeReceived(deps, upload);
  } catch (error) {
    // A concurrent request may have ended the upload and deleted its segments.
    if ((await requireUpload(deps, userId, id)).state === 'receiving') throw error;
  }
  return requireSuccess(await requireUpload(deps, userId, id));
}

async function finalizeReceived(deps: SegmentDeps, upload: MediaUpload): Promise<void> {
  const { id, totalBytes, category } = upload;
  const segments = await listSegments(deps.engine, id);
  requireComplete(segments, totalBytes);
  const lost = await findLost(deps.blobs, id, segments);
  if (lost !== undefined) throw missingSegment(lost);
  if (isLong(category)) {
    await deferToJob(deps, upload);
    return;
  }
  await using draft = await assemble(deps.blobs, id, segments);
  await finishUpload(deps, upload, draft);
}

async function deferToJob({ engine, queue }: SegmentDeps, upload: MediaUpload): Promise<void> {
  const { id, expiresAtMs } = upload;
  await engine.tx('defer upload to a job', async (tx) => {
    if (!(await moveUpload(tx, id, 'receiving', { state: 'processing', expiresAtMs }))) return;
    const payload = { mediaId: String(id) };
    await queue.enqueue(tx, { kind: 'process-media', payload, maxAttempts: PROCESS_ATTEMPTS });
  });
}

/** Processes an upload that `finalizeUpload` left to a job; `settle` as for `finishUpload`. */
export async function processUpload(
  deps: SegmentDeps,
  id: MediaId,
  settle: Parameters<typeof finishUpload>[3],
): Promise<void> {
  const upload = await findUpload(deps.engine, id, deps.clock());
  if (upload?.state !== 'processing') return;
  const segments = await listSegments(deps.engine, id);
  if ((await findLost(deps.blobs, id, segments)) !== undefined) {
    // A late segment replaced it, or a backup was taken before it was written.
    await failUpload(deps, upload, 'A segment is missing.', settle);
    return;
  }
  await using draft = await assemble(deps.blobs, id, segments);
  await finishUpload(deps, upload, draft, settle);
}

/**
 * Marks a processing upload as failed, so that clients see the outcome; does nothing when it has ended. The segments
 * remain until the upload expires, because files are not transactional.
 */
export async function giveUpUpload(tx: Tx, id: MediaId, nowMs: number): Promise<void> {
  const upload = await findUpload(tx, id, nowMs);
  if (!upload) return;
  const failure = 'The media could not be processed.';
  await moveUpload(tx, id, 'processing', { state: 'failed', failure, expiresAtMs: upload.expiresAtMs });
}
