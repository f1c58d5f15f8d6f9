import { createReadStream } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createPrivateFile,
  createPrivateFolder,
  orMissing,
  syncFile,
  syncFolder,
} from '../../database/private-file.js';
import { folderOfBlob, requireFolderOfBlob } from './blob-name.js';
import type { BlobStore } from './blob-store.js';
import { blobsIn } from './copy-blobs.js';
import { createDrafts, folderOrTemporary } from './drafts.js';
import { newStoreId, parseStoreId, STORE_ID, StoreIdRefused } from './store-id.js';

/**
 * Creates a store that keeps blobs as files (mode 0600) below `folder`, which is created on first use. Without
 * `folder`, uses a temporary folder that `close` deletes. Invalid names find nothing, and `put` throws for them.
 */
export function createDiskBlobs(folder: string | undefined): BlobStore {
  const root = folderOrTemporary(folder);
  const drafts = createDrafts(root);
  return {
    newDraft: drafts.create,
    put: async (name, draft) => {
      const file = fileOf(root, requireFolderOfBlob(name), name);
      await syncFile(draft);
      await createPrivateFolder(dirname(file));
      await rename(draft, file);
      // Sync every folder up to the root: each new folder is an entry of its parent.
      for (let each = dirname(file); each.length >= root.length; each = dirname(each)) await syncFolder(each);
    },
    findSizeBytes: (name) => findSizeBytes(root, name),
    read: async (name, range) => {
      if ((await findSizeBytes(root, name)) === undefined) return undefined;
      const file = fileOf(root, requireFolderOfBlob(name), name);
      return createReadStream(file, range && { start: range.first, end: range.last });
    },
    link: async () => undefined,
    list: () => blobsIn(root),
    delete: async (name) => rm(fileOf(root, requireFolderOfBlob(name), name), { force: true }),
    deleteFolder: async (name) => {
      const file = fileOf(root, requireFolderOfBlob(`${name}/x`), `${name}/x`);
      await rm(dirname(file), { recursive: true, force: true });
    },
    deleteDrafts: drafts.deleteOlder,
    findId: () => findId(root),
    identify: async () => {
      await createPrivateFile(join(root, STORE_ID), `${newStoreId()}\n`);
      return requireId(await findId(root), root);
    },
    close: async () => {
      if (folder === undefined) await rm(root, { recursive: true, force: true });
    },
  };
}

async function findId(root: string): Promise<string | undefined> {
  const text = await orMissing(readFile(join(root, STORE_ID), 'utf8'));
  return text === undefined ? undefined : requireId(parseStoreId(text), root);
}

function requireId(id: string | undefined, root: string): string {
  if (id === undefined)
    throw new StoreIdRefused(`${join(root, STORE_ID)} holds no id of a store: move it away`);
  return id;
}

async function findSizeBytes(root: string, name: string): Promise<number | undefined> {
  const folder = folderOfBlob(name);
  return folder === undefined ? undefined : (await orMissing(stat(fileOf(root, folder, name))))?.size;
}

/** Returns the path of a blob below `root`. Throws RangeError for an invalid name. */
export function pathOfBlob(root: string, name: string): string {
  return fileOf(root, requireFolderOfBlob(name), name);
}

/** Returns the shard of a blob. Throws RangeError for an invalid name. */
export function shardOf(name: string): string {
  return shardOfFolder(requireFolderOfBlob(name));
}

function fileOf(root: string, folder: string, name: string): string {
  return join(root, shardOfFolder(folder), name);
}

/** Folders are sharded by the last two digits of the id, so that no directory grows too large. */
function shardOfFolder(folder: string): string {
  return folder.slice(-2).padStart(2, '0');
}
