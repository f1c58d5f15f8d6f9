import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.js';

/** A store whose blobs are read and written whole. */
export type WholeBlobs = Pick<BlobStore, 'newDraft' | 'put' | 'findSizeBytes' | 'read'>;

/** Returns the bytes of a blob, or undefined if there is none. */
export async function readBlob(blobs: Pick<WholeBlobs, 'read'>, name: string): Promise<Buffer | undefined> {
  const bytes = await blobs.read(name);
  return bytes && buffer(bytes);
}

/** Stores a blob unless there is one with this name. */
export async function writeBlob(blobs: WholeBlobs, name: string, bytes: Buffer): Promise<void> {
  if ((await blobs.findSizeBytes(name)) !== undefined) return;
  const draft = await blobs.newDraft();
  await writeFile(draft, bytes);
  await blobs.put(name, draft);
}
