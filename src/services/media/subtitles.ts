import { readFile } from 'node:fs/promises';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { MAX_SUBTITLE_BYTES } from '../../core/limits.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { findMedia } from '../../stores/media.js';
import { mayDeleteFiles } from '../../stores/media-holds.js';
import {
  deleteSubtitles,
  listSubtitles,
  putSubtitles,
  type Subtitles,
} from '../../stores/media-subtitles.js';
import { reserveBytes, returnBytes } from '../../stores/media-usage.js';
import { findUpload, moveUpload, type MediaUpload } from '../../stores/media-uploads.js';
import { newBlobName, receiveDraft, type Draft } from './draft.js';
import { MediaRefused } from './media-refused.js';
import { noSuchMedia, quotaExceeded } from './upload-rules.js';
import type { ServiceDeps } from '../service-deps.js';

interface SubtitleDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  readonly blobs: BlobStore;
}

/** Subtitles count towards the quota of the video's owner. */
export interface VideoSubtitleDeps extends SubtitleDeps {
  readonly quotaBytes: number;
}

/** Uploaded subtitles to add to a video of the same user. */
export interface SubtitleOrder {
  readonly uploadId: MediaId;
  /** For example `en`. */
  readonly languageCode: string;
  readonly displayName?: string;
}

/** A cue line of both formats, for example `00:00:01,000 --> 00:00:02,000`. */
const CUE = /^[ \t]*(?:\d{1,9}:)?\d{2}:\d{2}[.,]\d{3}[ \t]+-->/m;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Stores an upload as subtitles. Resolves to false when another process ended the upload first. Throws MediaRefused
 * for any other content.
 */
export async function finishSubtitles(
  deps: SubtitleDeps,
  upload: MediaUpload,
  source: Draft,
): Promise<boolean> {
  const isVtt = await isWebVtt(source);
  const blob = newBlobName(upload.id, isVtt ? 'vtt' : 'srt');
  await deps.blobs.put(blob, source.file);
  const contentType = isVtt ? 'text/vtt' : 'application/x-subrip';
  const facts = { contentType, sizeBytes: source.sizeBytes, blob };
  const to = { state: 'succeeded', facts, expiresAtMs: deps.clock() + UPLOAD_LIFE_MS } as const;
  return deps.engine.tx('finish subtitles', (tx) => moveUpload(tx, upload.id, upload.state, to));
}

/** Returns true for WebVTT and false for SubRip. */
async function isWebVtt({ file, sizeBytes }: Draft): Promise<boolean> {
  if (sizeBytes > MAX_SUBTITLE_BYTES)
    throw new MediaRefused(`File size exceeds ${MAX_SUBTITLE_BYTES} bytes.`);
  const text = decodeSubtitles(await readFile(file));
  if (text === undefined) throw new MediaRefused('Subtitles must be text in UTF-8.');
  if (!isSubtitles(text)) throw new MediaRefused('The file is neither SubRip nor WebVTT.');
  return text.startsWith('WEBVTT');
}

/** Returns the text of a file; undefined unless it is UTF-8. */
export function decodeSubtitles(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reports whether a text has a SubRip or WebVTT cue. */
export function isSubtitles(text: string): boolean {
  return CUE.test(text) && !text.includes('\0');
}

/**
 * Adds uploaded subtitles to a video of the user, replacing those of the same languages; the last one per language
 * wins. Throws 'resource-not-found' for an unknown video, 'invalid-request' for unusable subtitles and 'forbidden'
 * when the quota is exceeded.
 */
export async function addSubtitles(
  deps: VideoSubtitleDeps,
  userId: UserId,
  id: MediaId,
  orders: readonly SubtitleOrder[],
): Promise<void> {
  await requireVideo(deps, userId, id);
  const byLanguage = new Map(orders.map((order) => [order.languageCode, order]));
  const copies: Copy[] = [];
  try {
    for (const order of byLanguage.values()) copies.push(await copyFor(deps, userId, id, order));
    await replace(deps, { id, ownerId: userId }, [...byLanguage.keys()], copies);
  } catch (error) {
    for (const { blob } of copies) await deps.blobs.delete(blob);
    throw error;
  }
}

/** Removes the subtitles of these languages from a video of the user; throws as `addSubtitles` does. */
export async function removeSubtitles(
  deps: VideoSubtitleDeps,
  userId: UserId,
  id: MediaId,
  languages: readonly string[],
): Promise<void> {
  await requireVideo(deps, userId, id);
  await replace(deps, { id, ownerId: userId }, languages, []);
}

/** A copy of uploaded subtitles in a file of its own. */
interface Copy extends Subtitles {
  readonly sizeBytes: number;
}

async function replace(
  { engine, blobs, clock, quotaBytes }: VideoSubtitleDeps,
  { id, ownerId }: { readonly id: MediaId; readonly ownerId: UserId },
  languages: readonly string[],
  added: readonly Copy[],
): Promise<void> {
  const sizeBytes = added.reduce((total, each) => total + each.sizeBytes, 0);
  // Asked before the transaction, which would hold its locks while an object store responds.
  const known = await findSizes(blobs, await listSubtitles(engine, id));
  const replaced = await engine.tx('replace subtitles', async (tx) => {
    const before = await listSubtitles(tx, id);
    const removed = before.filter(({ languageCode }) => languages.includes(languageCode));
    await returnBytes(tx, id, await sizeOf(blobs, removed, known));
    const hasRoom = sizeBytes === 0 || (await reserveBytes(tx, { id, ownerId, sizeBytes }, quotaBytes));
    if (!hasRoom) throw quotaExceeded(quotaBytes);
    await deleteSubtitles(tx, id, languages);
    for (const each of added) await putSubtitles(tx, id, each);
    return removed;
  });
  // Otherwise they are deleted with the video.
  if (replaced.length > 0 && (await mayDeleteFiles(engine, clock())))
    for (const { blob } of replaced) await blobs.delete(blob);
}

async function findSizes(blobs: BlobStore, subtitles: readonly Subtitles[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { blob } of subtitles) sizes.set(blob, (await blobs.findSizeBytes(blob)) ?? 0);
  return sizes;
}

/** Returns the total size of subtitles; `known` has the sizes of most. */
async function sizeOf(
  blobs: BlobStore,
  subtitles: readonly Subtitles[],
  known: ReadonlyMap<string, number>,
): Promise<number> {
  const added = await findSizes(
    blobs,
    subtitles.filter(({ blob }) => !known.has(blob)),
  );
  return subtitles.reduce((total, { blob }) => total + (known.get(blob) ?? added.get(blob) ?? 0), 0);
}

/** Copies the uploaded file, because the video outlives the upload. */
async function copyFor(
  { engine, clock, blobs }: SubtitleDeps,
  userId: UserId,
  id: MediaId,
  { uploadId, languageCode, displayName }: SubtitleOrder,
): Promise<Copy> {
  const upload = await findUpload(engine, uploadId, clock());
  const from = upload?.ownerId === userId ? upload.facts?.blob : undefined;
  const bytes = from === undefined ? undefined : await blobs.read(from);
  if (from === undefined || !bytes) {
    throw invalidRequest(
      'subtitles',
      [String(uploadId)],
      `There are no subtitles with media id [${uploadId}].`,
    );
  }
  const blob = newBlobName(id, from.slice(from.lastIndexOf('.') + 1));
  const draft = await receiveDraft(blobs, bytes, MAX_SUBTITLE_BYTES);
  await blobs.put(blob, draft.file);
  return { languageCode, displayName, blob, sizeBytes: draft.sizeBytes };
}

async function requireVideo({ engine, clock }: SubtitleDeps, userId: UserId, id: MediaId): Promise<void> {
  const media = (await findMedia(engine, [id])).get(id);
  if (media?.ownerId !== userId || media.type !== 'video') throw noSuchMedia(id);
  const isExpired = media.attachedTo === undefined && (media.expiresAtMs ?? Infinity) <= clock();
  if (isExpired) throw noSuchMedia(id);
}
