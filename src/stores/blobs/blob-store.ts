import type { Readable } from 'node:stream';

/** The first and the last byte of a part, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Keeps the bytes of media by name. A name is `<folder>/<file>`: what belongs together shares a folder and goes away
 * with it. Made for disks and for object stores alike: what is stored under a name appears whole or not at all.
 */
export interface BlobStore {
  /** An empty file of this machine (mode 0600) in which to put together what is to be stored. */
  newDraft(): Promise<string>;
  /** Stores a draft, which is gone afterwards; durable when it resolves. What had that name is replaced. */
  put(name: string, draft: string): Promise<void>;
  /** The size in bytes; undefined when there is no such blob. */
  findSizeBytes(name: string): Promise<number | undefined>;
  /** The bytes, or a part of them; the stream fails when there is no such blob. */
  read(name: string, range?: ByteRange): Readable;
  /** Removes a blob; that it is not there is no error. */
  delete(name: string): Promise<void>;
  /** Removes all blobs of a folder. */
  deleteFolder(folder: string): Promise<void>;
  /** Removes drafts that nobody touched since `beforeMs`: of processes that are gone. */
  deleteDrafts(beforeMs: number): Promise<void>;
  /** Ends the store; what was kept for this process only is removed. */
  close(): Promise<void>;
}
