import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createPrivateFolder,
  fileExists,
  hasCode,
  syncFile,
  syncFolder,
  namesIn,
  orMissing,
} from '../../database/private-file.js';
import { folderOfBlob } from './blob-name.js';
import type { BlobStore, StoredBlob } from './blob-store.js';

/** The two levels of folders that `createDiskBlobs` creates: shards, and one folder per id in each. */
const SPREAD = /^[0-9]{2}$/;
const ID = /^[0-9]{1,19}$/;

/** The error codes of file systems that do not support hard links, or not for this file or user. */
export const CANNOT_LINK = ['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Copies to the blob folder `to` what only `from` holds, and syncs it to disk. Uses hard links where possible, since
 * blobs never change, and copies otherwise. Skips files that disappear meanwhile and creates no empty folders.
 */
export async function copyBlobs(from: string, to: string): Promise<void> {
  const changed = new Set<string>();
  for (const spread of await spreadFolders(from)) {
    for (const id of await idsIn(from, spread)) {
      const [source, target] = [join(from, spread, id), join(to, spread, id)];
      if (!(await copyFolder(source, target))) continue;
      for (let each = target; each.length >= to.length; each = dirname(each)) changed.add(each);
    }
  }
  for (const folder of changed) await syncFolder(folder);
}

/** Copies the blobs of the folder `from` to a store that lacks them. */
export async function storeBlobs(
  from: string,
  store: Pick<BlobStore, 'newDraft' | 'put' | 'findSizeBytes'>,
): Promise<void> {
  for (const spread of await spreadFolders(from)) {
    for (const id of await idsIn(from, spread)) {
      for (const file of await namesIn(join(from, spread, id))) {
        const name = `${id}/${file}`;
        if (file.startsWith('.') || (await store.findSizeBytes(name)) !== undefined) continue;
        const draft = await store.newDraft();
        await copyFile(join(from, spread, name), draft);
        await store.put(name, draft);
      }
    }
  }
}

/** Yields the blobs of a folder. */
export async function* blobsIn(root: string): AsyncGenerator<StoredBlob> {
  for (const spread of await spreadFolders(root)) {
    for (const id of await idsIn(root, spread)) {
      for (const file of await namesIn(join(root, spread, id))) {
        const name = `${id}/${file}`;
        const found = folderOfBlob(name) && (await orMissing(stat(join(root, spread, name))));
        if (found) yield { name, sizeBytes: found.size, storedAtMs: found.mtimeMs };
      }
    }
  }
}

async function spreadFolders(root: string): Promise<string[]> {
  return (await namesIn(root)).filter((name) => SPREAD.test(name));
}

async function idsIn(root: string, spread: string): Promise<string[]> {
  return (await namesIn(join(root, spread))).filter((name) => ID.test(name));
}

/** Returns false if there was nothing to copy. */
async function copyFolder(source: string, target: string): Promise<boolean> {
  let isChanged = false;
  for (const name of await namesIn(source)) {
    // Names with a leading dot are incomplete copies.
    if (!name.startsWith('.') && (await copyBlob(join(source, name), join(target, name)))) isChanged = true;
  }
  return isChanged;
}

/** Links or copies one blob. Returns false if it is there already, or if the source is gone. */
export async function copyBlob(source: string, target: string): Promise<boolean> {
  if (await fileExists(target)) return false;
  await createPrivateFolder(dirname(target));
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false;
    if (!CANNOT_LINK.some((code) => hasCode(error, code))) throw error;
  }
  return copyBytes(source, target);
}

/** Copies to a draft first and renames it, so that a blob is never visible incomplete. */
async function copyBytes(source: string, target: string): Promise<boolean> {
  const draft = join(dirname(target), `.${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(source, draft, constants.COPYFILE_FICLONE);
    await syncFile(draft);
    await rename(draft, target);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
