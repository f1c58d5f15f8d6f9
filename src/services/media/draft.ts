import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { PipitError } from '../../core/errors.js';
import type { MediaId } from '../../core/ids.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';

/** Returns a random name for a stored file: links of protected media must not be guessable. */
export function newBlobName(id: MediaId, extension: string): string {
  return `${id}/${randomBytes(24).toString('base64url')}.${extension}`;
}

/** A temporary file on local disk that is not a blob yet. */
export interface Draft extends AsyncDisposable {
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Writes incoming chunks to a draft. Throws 'payload-too-large' above `maxBytes`, and rethrows errors of
 * `chunks`; deletes the draft in both cases.
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

/** Wraps an existing file as a draft. */
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

/** Runs `work`, which may create drafts, and deletes those that remain afterwards. */
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
