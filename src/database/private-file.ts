import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For the server's own user alone (SECURITY.md). */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Makes a folder, and those above it, with mode 0700 where they are missing; resolves to the first that was. */
export function createPrivateFolder(folder: string): Promise<string | undefined> {
  return mkdir(folder, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Creates a file with mode 0600: it appears whole and on disk, or not at all. False, changing nothing, when there is
 * one already, also when another process made it this moment.
 */
export async function createPrivateFile(file: string, content: string | Uint8Array): Promise<boolean> {
  return withDraft(file, content, async (draft) => {
    try {
      await link(draft, file);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  });
}

/** Creates an empty file with mode 0600; false when there is one already. It needs no hard links, as removable disks have none. */
export async function createEmptyFile(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', FILE_MODE)).close();
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Puts a file with mode 0600 in the place of what is there, if anything: at every moment one of the two is whole. */
export async function replacePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  await withDraft(file, content, (draft) => rename(draft, file));
}

async function withDraft<T>(
  file: string,
  content: string | Uint8Array,
  place: (draft: string) => Promise<T>,
): Promise<T> {
  await createPrivateFolder(dirname(file));
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', FILE_MODE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
    await syncFolder(dirname(file));
  }
}

/** Makes the bytes of a file durable. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable: a file's own sync does not cover its directory entry (fsync(2)). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** True for a system error with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** True when there is something at this path. */
export async function fileExists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
