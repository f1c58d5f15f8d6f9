import { open, rm } from 'node:fs/promises';
import { PipitError } from '../../core/errors.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';

/** Bytes on this machine's disk that are no blob yet. */
export interface Draft extends AsyncDisposable {
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Writes what arrives to a draft, piece by piece. Throws PipitError `payload-too-large` above `maxBytes`, and what
 * `chunks` throws, leaving nothing behind.
 */
export async function receiveDraft(
  blobs: Pick<BlobStore, 'newDraft'>,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Draft> {
  const file = await blobs.newDraft();
  try {
    return draftOf(file, await writeAll(file, chunks, maxBytes));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** A draft that was filled by others. */
function draftOf(file: string, sizeBytes: number): Draft {
  return { file, sizeBytes, [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

async function writeAll(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<number> {
  const handle = await open(file, 'r+');
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new PipitError({ code: 'payload-too-large' });
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return sizeBytes;
}

/** Runs what makes drafts along the way; those that are still there at its end are removed. */
export async function withDrafts<T>(
  blobs: Pick<BlobStore, 'newDraft'>,
  work: (newFile: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const files: string[] = [];
  const newFile = async (): Promise<string> => {
    const file = await blobs.newDraft();
    files.push(file);
    return file;
  };
  try {
    return await work(newFile);
  } finally {
    for (const file of files) await rm(file, { force: true });
  }
}
