import { createAtMost } from '../../core/at-most.js';
import type { Clock } from '../../core/clock.js';
import type { MediaId } from '../../core/ids.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import type { Media } from '../../core/post.js';
import { namesBehind } from '../../core/profile-picture.js';
import type { Queryable, Tx } from '../../database/engine.js';
import type { BlobStore, StoredBlob } from '../../stores/blobs/blob-store.js';
import type { Difference, Look, Part, Suspect } from '../../stores/checks/part.js';
import { findMedia, pageMedia } from '../../stores/media.js';
import { mayDeleteFiles } from '../../stores/media-holds.js';
import { listSubtitles, listSubtitleFiles } from '../../stores/media-subtitles.js';
import { findUploads, listSegments } from '../../stores/media-uploads.js';
import { findBytes, settleBytes } from '../../stores/media-usage.js';
import { segmentName } from '../media/finish-upload.js';

export interface FileDeps {
  readonly blobs: Pick<BlobStore, 'list' | 'findSizeBytes' | 'delete'>;
  readonly clock: Clock;
}

/** Creates the checks of the files of media, in both directions. */
export function fileParts(deps: FileDeps): Part[] {
  return [
    { kind: 'files', of: 'media', look: (db) => lookAtMedia(db, deps) },
    { kind: 'files', of: 'media files', look: (db) => lookAtFiles(db, deps) },
  ];
}

const CHUNK = 500;

/** Files that the store is asked for at once. */
const ASKED = 8;

async function* lookAtMedia(db: Queryable, { blobs }: FileDeps): AsyncGenerator<Look> {
  const atMost = createAtMost(ASKED);
  const sizeOf = (name: string) => atMost(() => blobs.findSizeBytes(name));
  let after: MediaId | undefined = -1n as MediaId;
  while (after !== undefined) {
    const page: Media[] = await pageMedia(db, after, CHUNK);
    // Files of unused media come and go before their rows.
    const used = page.filter(
      ({ attachedTo, expiresAtMs }) => attachedTo !== undefined || expiresAtMs === undefined,
    );
    const bytes = await findBytes(
      db,
      used.map(({ id }) => id),
    );
    const looks = await Promise.all(
      used.map(async (media) => suspectOf(db, media, bytes.get(media.id), sizeOf)),
    );
    yield { checked: used.length, suspects: looks.filter((suspect) => suspect !== undefined) };
    after = page.length < CHUNK ? undefined : page.at(-1)?.id;
  }
}

/** The name of a file in the address of media: an id, a slash and a file name. */
const FILE = /\/media\/([0-9]{1,19}\/[A-Za-z0-9_-]+\.[a-z0-9]+)$/;

/** Returns the names of the files that this server serves of media. */
function filesOf({ id, url, previewImageUrl, variants = [] }: Media): string[] {
  const urls = [url, previewImageUrl, ...variants.map((variant) => variant.url)];
  const names = urls.flatMap((each) => FILE.exec(each ?? '')?.[1] ?? []);
  return [...new Set(names)].filter((name) => name.startsWith(`${id}/`));
}

async function suspectOf(
  db: Queryable,
  media: Media,
  counted: number | undefined,
  sizeOf: (name: string) => Promise<number | undefined>,
): Promise<Suspect | undefined> {
  const { id, mediaKey } = media;
  const required = filesOf(media);
  if (required.length === 0) return undefined;
  const subtitles = await listSubtitles(db, id);
  const names = [
    ...required.flatMap((name) => namesBehind(mediaKey, name)),
    ...subtitles.map(({ blob }) => blob),
  ];
  const sizes = new Map(await Promise.all(names.map(async (name) => [name, await sizeOf(name)] as const)));
  const name = `media id=${id}`;
  // Pictures of profiles need not have a file for each size.
  const missing = [...required, ...subtitles.map(({ blob }) => blob)].filter(
    (each) => sizes.get(each) === undefined,
  );
  if (missing.length > 0) return { name, settle: (tx) => settleMissing(tx, media, missing) };
  const actual = [...sizes.values()].reduce<number>((sum, size = 0) => sum + size, 0);
  if (counted === undefined || counted === actual) return undefined;
  return { name, settle: (tx, mends) => settleSize(tx, id, { counted, actual }, mends) };
}

async function settleMissing(
  tx: Tx,
  media: Media,
  missing: readonly string[],
): Promise<Difference | undefined> {
  const stored = (await findMedia(tx, [media.id])).get(media.id);
  if (!stored || stored.attachedTo !== media.attachedTo) return undefined;
  const own = [...filesOf(stored), ...(await listSubtitles(tx, media.id)).map(({ blob }) => blob)];
  const lost = missing.filter((name) => own.includes(name));
  return lost.length === 0 ? undefined : { what: `lacks the file ${lost.join(', ')}`, isLost: true };
}

async function settleSize(
  tx: Tx,
  id: MediaId,
  { counted, actual }: { readonly counted: number; readonly actual: number },
  mends: boolean,
): Promise<Difference | undefined> {
  const now = (await findBytes(tx, [id])).get(id);
  if (now !== counted) return undefined;
  if (mends) await settleBytes(tx, id, actual);
  return { what: `counts ${counted} bytes, but its files have ${actual}` };
}

async function* lookAtFiles(db: Queryable, deps: FileDeps): AsyncGenerator<Look> {
  for await (const { files, strays } of strayFiles(db, deps))
    yield { checked: files, suspects: strays.map((blob) => suspectFile(deps, blob)) };
}

/**
 * Yields the number of files of some folders of the store, and those among them that no row leads to. Files are stored
 * shortly before or after their rows, so those of the last day are no strays.
 */
export async function* strayFiles(db: Queryable, { blobs, clock }: FileDeps) {
  let batch: StoredBlob[] = [];
  for await (const blob of blobs.list()) {
    // A batch ends with a folder.
    if (batch.length >= CHUNK && idOf(blob) !== idOf(batch.at(-1))) {
      yield { files: batch.length, strays: await straysAmong(db, batch, clock()) };
      batch = [];
    }
    batch.push(blob);
  }
  yield { files: batch.length, strays: await straysAmong(db, batch, clock()) };
}

function idOf(blob: StoredBlob | undefined): string {
  return blob?.name.split('/', 1)[0] ?? '';
}

async function straysAmong(
  db: Queryable,
  batch: readonly StoredBlob[],
  nowMs: number,
): Promise<StoredBlob[]> {
  const old = batch.filter(({ storedAtMs }) => storedAtMs < nowMs - UPLOAD_LIFE_MS);
  // A running backup may copy files of rows that were deleted since it began.
  if (old.length === 0 || !(await mayDeleteFiles(db, nowMs))) return [];
  const known = await knownNames(db, [...new Set(old.map((blob) => BigInt(idOf(blob)) as MediaId))]);
  return old.filter(({ name }) => !known.has(name));
}

/** Returns the names of the files that the rows of these media and uploads lead to. */
async function knownNames(db: Queryable, ids: readonly MediaId[]): Promise<Set<string>> {
  const known = new Set(await listSubtitleFiles(db, ids));
  for (const media of (await findMedia(db, ids)).values())
    for (const name of filesOf(media)) for (const each of namesBehind(media.mediaKey, name)) known.add(each);
  for (const { id, facts } of (await findUploads(db, ids)).values()) {
    if (facts?.blob !== undefined) known.add(facts.blob);
    for (const { index } of await listSegments(db, id)) known.add(segmentName(id, index));
  }
  return known;
}

function suspectFile({ blobs }: FileDeps, { name, sizeBytes }: StoredBlob): Suspect {
  return {
    name: `file ${name}`,
    settle: async (tx) => {
      const known = await knownNames(tx, [BigInt(name.split('/', 1)[0] ?? '') as MediaId]);
      if (known.has(name)) return undefined;
      return { what: `belongs to no media, ${sizeBytes} bytes`, afterwards: () => blobs.delete(name) };
    },
  };
}
