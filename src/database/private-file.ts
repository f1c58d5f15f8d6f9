import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Modes that give access to the server's user only (SECURITY.md). */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Creates a folder and its missing parents with mode 0700. Returns the first folder created. Throws system errors.
 *
 * Node's own way to do so never ends below /proc: the system says there that a parent is missing which exists.
 */
export async function createPrivateFolder(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  let existing = resolve(folder);
  for (; !(await fileExists(existing)); existing = dirname(existing)) missing.unshift(existing);
  // Refused as part of a path if it is no folder.
  await stat(`${existing}/`);
  for (const each of missing) await createFolder(each);
  return missing[0];
}

/** Creates a folder; another process may do so at the same time. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: FOLDER_MODE });
  } catch (error) {
    const found = hasCode(error, 'EEXIST') ? await orMissing(stat(folder)) : undefined;
    if (!found?.isDirectory()) throw error;
  }
}

/**
 * Creates a file with mode 0600 atomically and syncs it. Returns false and changes nothing if the file exists, even
 * if another process has just created it.
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

/**
 * Creates an empty file with mode 0600. Returns false if it exists. Needs no hard links, which removable disks lack.
 */
export async function createEmptyFile(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', FILE_MODE)).close();
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** A whole, or parts in their order. */
type Content = string | Uint8Array | Iterable<string>;

/** Replaces or creates a file with mode 0600 atomically. */
export async function replacePrivateFile(file: string, content: Content): Promise<void> {
  await withDraft(file, content, (draft) => rename(draft, file));
}

async function withDraft<T>(
  file: string,
  content: Content,
  place: (draft: string) => Promise<T>,
): Promise<T> {
  await createPrivateFolder(dirname(file));
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', FILE_MODE);
    try {
      const isWhole = typeof content === 'string' || content instanceof Uint8Array;
      for (const part of isWhole ? [content] : content) await handle.writeFile(part);
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

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable: syncing a file does not sync its directory entry (fsync(2)). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reports whether the error is a system error with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Reports whether this path exists. */
export async function fileExists(file: string): Promise<boolean> {
  return (await orMissing(stat(file))) !== undefined;
}

/** Returns the names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await orMissing(readdir(folder))) ?? [];
}

/** Returns the result of a file operation, or undefined if there is no such path. */
export async function orMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
