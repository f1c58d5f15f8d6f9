import type { Readable } from 'node:stream';

/** A byte range; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A stored file. */
export interface StoredBlob {
  readonly name: string;
  readonly sizeBytes: number;
  readonly storedAtMs: number;
}

/**
 * Stores media files by name. A name is `<folder>/<file>`; files that belong together share a folder and are deleted
 * with it. Writes are atomic: a blob is visible completely or not at all. Fits disks and object stores. Every method
 * throws StorageUnavailable while the store cannot serve, and works again as soon as it can.
 */
export interface BlobStore {
  /** Creates an empty local file (mode 0600) in which a blob is assembled. */
  newDraft(): Promise<string>;
  /**
   * Moves a draft to `name` and replaces any existing blob. The blob is durable when the promise resolves. A failed
   * call stores nothing and leaves the draft to its owner. Throws RangeError for an invalid name.
   */
  put(name: string, draft: string): Promise<void>;
  /** Returns the size in bytes, or undefined if there is no such blob. */
  findSizeBytes(name: string): Promise<number | undefined>;
  /** Opens the bytes or a range of them; undefined if there is no such blob. Reads no faster than its reader. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Returns a link by which anyone reads the blob for ten minutes or more, as a file of this type; undefined if the
   * store has no links. The blob may be missing.
   */
  link(name: string, contentType: string): Promise<string | undefined>;
  /** Yields all blobs, those of a folder one after the other. What is stored or deleted meanwhile may be missing. */
  list(): AsyncIterable<StoredBlob>;
  /** Deletes a blob. A missing blob is not an error. */
  delete(name: string): Promise<void>;
  /** Deletes all blobs of a folder. */
  deleteFolder(folder: string): Promise<void>;
  /** Deletes the drafts not modified since `beforeMs`, left behind by ended processes. */
  deleteDrafts(beforeMs: number): Promise<void>;
  /** Returns the id of the store, by which servers tell whether they use the same one; undefined before `identify`. */
  findId(): Promise<string | undefined>;
  /** Returns the id of the store, which gets one at first. Servers that do so at once agree on it. */
  identify(): Promise<string>;
  /** Closes the store. A temporary store is deleted. */
  close(): Promise<void>;
}
