import { stat } from 'node:fs/promises';
import type { MediaId } from '../../core/ids.js';
import { mediaKeyOf, UPLOAD_LIFE_MS } from '../../core/media.js';
import type { Media } from '../../core/post.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import type { Tx } from '../../database/engine.js';
import { insertMedia } from '../../stores/media.js';
import { settleBytes } from '../../stores/media-usage.js';
import {
  deleteSegments,
  listSegments,
  moveUpload,
  type MediaUpload,
  type Segment,
} from '../../stores/media-uploads.js';
import { newBlobName, receiveDraft, withDrafts, type Draft } from './draft.js';
import { MediaRefused } from './media-refused.js';
import { prepareMedia, type Prepared, type PrepareDeps } from './prepare-media.js';
import { finishSubtitles } from './subtitles.js';
import type { Turns } from './turns.js';
import { shownCategory } from './upload-rules.js';
import type { ServiceDeps } from '../service-deps.js';

export interface FinishDeps extends PrepareDeps, Pick<ServiceDeps, 'engine' | 'clock'> {
  readonly blobs: BlobStore;
  /** Prevents one user from occupying all decoders. */
  readonly turns: Turns;
  /** The base URL of media links. */
  readonly publicUrl: string;
}

/** Returns the name under which a segment is stored until the upload is assembled. */
export function segmentName(id: MediaId, index: number): string {
  return `${id}/segment-${index}`;
}

/**
 * Returns the index of the first segment whose stored size differs from the recorded one; undefined when all match.
 */
export async function findLost(
  blobs: BlobStore,
  id: MediaId,
  segments: readonly Segment[],
): Promise<number | undefined> {
  for (const { index, sizeBytes } of segments) {
    if ((await blobs.findSizeBytes(segmentName(id, index))) !== sizeBytes) return index;
  }
  return undefined;
}

/** Concatenates the segments of an upload in order. */
export function assemble(blobs: BlobStore, id: MediaId, segments: readonly Segment[]): Promise<Draft> {
  const expected = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return receiveDraft(blobs, bytesOf(blobs, id, segments), expected);
}

async function* bytesOf(
  blobs: BlobStore,
  id: MediaId,
  segments: readonly Segment[],
): AsyncGenerator<Uint8Array> {
  for (const { index } of segments) {
    const bytes = await blobs.read(segmentName(id, index));
    if (!bytes) throw new Error(`segment ${index} of upload ${id} disappeared`);
    yield* bytes;
  }
}

/**
 * Creates media from a complete upload. `settle` runs in the transaction that ends the upload, in success and
 * failure. Resolves to false when another process ended the upload first. A refused file ends the upload as
 * `failed`; other errors are rethrown and leave it unchanged.
 */
export async function finishUpload(
  deps: FinishDeps,
  upload: MediaUpload,
  source: Draft,
  settle: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  const isMine = await withDrafts(deps.blobs, async (newFile) => {
    try {
      if (upload.category === 'subtitles') return await finishSubtitles(deps, upload, source);
      const category = shownCategory(upload.category);
      const prepared = await deps.turns(upload.ownerId, () => prepareMedia(deps, source, category, newFile));
      return await succeed(deps, { upload, source, prepared, settle });
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      return moveToFailed(deps, upload, error.message, settle);
    }
  });
  if (isMine) await removeSegments(deps, upload.id);
  return isMine;
}

/** Ends an upload as failed; `settle` as for `finishUpload`. */
export async function failUpload(
  deps: FinishDeps,
  upload: MediaUpload,
  failure: string,
  settle: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  if (await moveToFailed(deps, upload, failure, settle)) await removeSegments(deps, upload.id);
}

interface Success {
  readonly upload: MediaUpload;
  readonly source: Draft;
  readonly prepared: Prepared;
  settle(tx: Tx): Promise<void>;
}

async function succeed(deps: FinishDeps, { upload, source, prepared, settle }: Success): Promise<boolean> {
  const storedBytes = await bytesOfFiles(prepared);
  const names = await store(deps.blobs, upload.id, prepared);
  const media = mediaOf(deps, upload, prepared, names, source.sizeBytes);
  const isMine = await deps.engine.tx('finish upload', async (tx) => {
    const { mediaKey, width, height } = media;
    const facts = { mediaKey, contentType: prepared.contentType, sizeBytes: source.sizeBytes, width, height };
    const expiresAtMs = deps.clock() + UPLOAD_LIFE_MS;
    const to = { state: 'succeeded', facts, expiresAtMs } as const;
    if (!(await moveUpload(tx, upload.id, upload.state, to))) return false;
    await insertMedia(tx, { ...media, expiresAtMs });
    await settleBytes(tx, upload.id, storedBytes);
    await settle(tx);
    return true;
  });
  if (!isMine) for (const name of names) await deps.blobs.delete(name);
  return isMine;
}

function moveToFailed(
  { engine }: FinishDeps,
  { id, state, expiresAtMs }: MediaUpload,
  failure: string,
  settle: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return engine.tx('fail upload', async (tx) => {
    if (!(await moveUpload(tx, id, state, { state: 'failed', failure, expiresAtMs }))) return false;
    await settleBytes(tx, id, 0);
    await settle(tx);
    return true;
  });
}

async function bytesOfFiles({ main, preview }: Prepared): Promise<number> {
  const files = preview ? [main, preview] : [main];
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Stores the files under random names; resolves to the names: the main file, then the preview if present. */
async function store(blobs: BlobStore, id: MediaId, { main, preview }: Prepared): Promise<string[]> {
  const names: string[] = [];
  for (const { file, extension } of preview ? [main, preview] : [main]) {
    const name = newBlobName(id, extension);
    await blobs.put(name, file);
    names.push(name);
  }
  return names;
}

function mediaOf(
  { clock, publicUrl }: FinishDeps,
  { id, ownerId }: MediaUpload,
  { category, type, contentType, size, durationMs }: Prepared,
  names: readonly string[],
  sizeBytes: number,
): Media {
  const [url = '', previewImageUrl] = names.map((name) => `${publicUrl}/media/${name}`);
  const common = { id, ownerId, mediaKey: mediaKeyOf(category, id), type, ...size, createdAtMs: clock() };
  if (type === 'photo') return { ...common, url };
  const bitRate = durationMs === undefined ? 0 : Math.round((sizeBytes * 8_000) / durationMs);
  const variants = [{ bit_rate: bitRate, content_type: contentType, url }];
  return { ...common, durationMs, previewImageUrl, variants };
}

/** Deletes the segments. After a crash, housekeeping deletes them with the expired upload. */
async function removeSegments({ engine, blobs }: FinishDeps, id: MediaId): Promise<void> {
  const segments = await listSegments(engine, id);
  if (segments.length === 0) return;
  for (const { index } of segments) await blobs.delete(segmentName(id, index));
  await engine.tx('delete segments', (tx) => deleteSegments(tx, id));
}
