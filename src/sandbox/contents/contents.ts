import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend, Snapshot } from '../../server/backend.js';
import { copyBlobs } from '../../stores/blobs/copy-blobs.js';

/** How a server opens what was restored. */
export interface Opening {
  readonly snapshot?: Snapshot;
}

/** A copy of a database, or of everything that a server stores: also the files of its media. */
export interface StoredCopy {
  /** Puts the copy in the place of the database, which nothing uses. */
  restore(): Promise<Opening>;
  discard(): Promise<void>;
}

/** Copies databases of one kind. */
export interface DatabaseCopier {
  /** True if nothing may use a database while it is copied. */
  readonly isOffline: boolean;
  /** Copies a database; a server may use it meanwhile unless `isOffline`. `name` is unique in its sandbox. */
  copy(backend: Backend, name: string): Promise<StoredCopy>;
  /** Empties the database, which nothing uses. */
  clear(): Promise<Opening>;
  close(): Promise<void>;
}

/** The places of a sandbox: the folder of its media and the one for its copies. */
export interface ContentsFolders {
  readonly media: string;
  readonly copies: string;
}

/** Creates what copies and restores everything that the server of a sandbox stores. */
export function createContents(copier: DatabaseCopier, folders: ContentsFolders) {
  let count = 0;
  return {
    /** True if the server must be closed for a copy. */
    isOffline: copier.isOffline,
    /** Copies database and media. No transaction that ended before the call is missing. */
    copy: async (backend: Backend): Promise<StoredCopy> => {
      count += 1;
      const name = String(count);
      const media = join(folders.copies, name, 'media');
      const database = await copier.copy(backend, name);
      await copyBlobs(folders.media, media);
      return {
        restore: async () => {
          await rm(folders.media, { recursive: true, force: true });
          await copyBlobs(media, folders.media);
          return database.restore();
        },
        discard: async () => {
          await database.discard();
          await rm(join(folders.copies, name), { recursive: true, force: true });
        },
      };
    },
    /** Returns an empty state. */
    empty: (): StoredCopy => ({
      restore: async () => {
        await rm(folders.media, { recursive: true, force: true });
        return copier.clear();
      },
      discard: async () => undefined,
    }),
    close: () => copier.close(),
  };
}
