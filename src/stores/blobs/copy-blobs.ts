import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createPrivateFolder,
  fileExists,
  hasCode,
  syncFile,
  syncFolder,
} from '../../database/private-file.js';

/** The folders in which `createDiskBlobs` spreads blobs, and those that hold what belongs together. */
const SPREAD = /^[0-9]{2}$/;
const ID = /^[0-9]{1,19}$/;

/** File systems that have no second names for files, or none for this file or user, say so in many ways. */
const CANNOT_LINK = ['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Gives the blobs' folder `to` what `from` holds and it does not, on disk when it resolves: as second names of the same
 * files where that can be, as blobs never change, else as copies. What goes away meanwhile is passed over. Where there
 * are no blobs, nothing is made.
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

/** Removes the blobs of all ids that `findKnown` does not give back when it is asked for them, and folders without any. */
export async function keepBlobsOf(
  root: string,
  findKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  let keepsAny = false;
  for (const spread of await spreadFolders(root)) {
    const ids = await idsIn(root, spread);
    const known = await findKnown(ids);
    keepsAny ||= known.size > 0;
    const unknown = ids.filter((id) => !known.has(id)).map((id) => join(spread, id));
    for (const folder of known.size > 0 ? unknown : [spread])
      await rm(join(root, folder), { recursive: true });
  }
  if (!keepsAny) await rm(root, { recursive: true, force: true });
}

async function spreadFolders(root: string): Promise<string[]> {
  return (await namesIn(root)).filter((name) => SPREAD.test(name));
}

async function idsIn(root: string, spread: string): Promise<string[]> {
  return (await namesIn(join(root, spread))).filter((name) => ID.test(name));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** False when there was nothing to add. */
async function copyFolder(source: string, target: string): Promise<boolean> {
  let isChanged = false;
  for (const name of await namesIn(source)) {
    // What begins with a dot is on its way, or was left on it.
    if (!name.startsWith('.') && (await copyBlob(join(source, name), join(target, name)))) isChanged = true;
  }
  return isChanged;
}

async function copyBlob(source: string, target: string): Promise<boolean> {
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

/** By way of a draft, so that a blob is there whole or not at all. */
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
