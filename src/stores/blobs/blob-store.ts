import type { Readable } from 'node:stream';

/** A byte range; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Stores media files by name. A name is `<folder>/<file>`; files that belong together share a folder and are deleted
 * with it. Writes are atomic: a blob is visible completely or not at all. Fits disks and object stores.
 */
export interface BlobStore {
  /** Creates an empty local file (mode 0600) in which a blob is assembled. */
  newDraft(): Promise<string>;
  /** Moves a draft to `name` and replaces any existing blob. The blob is durable when the promise resolves. */
  put(name: string, draft: string): Promise<void>;
  /** Returns the size in bytes, or undefined if there is no such blob. */
  findSizeBytes(name: string): Promise<number | undefined>;
  /** Streams the bytes or a range of them. The stream fails if there is no such blob. */
  read(name: string, range?: ByteRange): Readable;
  /** Deletes a blob. A missing blob is not an error. */
  delete(name: string): Promise<void>;
  /** Deletes all blobs of a folder. */
  deleteFolder(folder: string): Promise<void>;
  /** Deletes the drafts not modified since `beforeMs`, left behind by ended processes. */
  deleteDrafts(beforeMs: number): Promise<void>;
  /** Closes the store. A temporary store is deleted. */
  close(): Promise<void>;
}
