import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createEmptyFile,
  createPrivateFolder,
  hasCode,
  syncFile,
  syncFolder,
} from '../../database/private-file.js';
import type { BlobStore } from './blob-store.js';

const DRAFTS = 'drafts';

/** Digits of ids, then a file name that cannot lead out of its folder. */
const NAME = /^([0-9]{1,19})\/[A-Za-z0-9_-]+(?:\.[a-z0-9]+)?$/;

/**
 * Blobs as files (mode 0600) below `folder`, which appears with the first. Without a folder they lie in a temporary one
 * that `close` removes. Names that are no blob's find nothing; `put` throws for them.
 */
export function createDiskBlobs(folder: string | undefined): BlobStore {
  const root = folder ?? join(tmpdir(), `pipit-media-${randomBytes(12).toString('hex')}`);
  const drafts = join(root, DRAFTS);
  return {
    newDraft: async () => {
      await createPrivateFolder(drafts);
      const draft = join(drafts, randomBytes(12).toString('hex'));
      await createEmptyFile(draft);
      return draft;
    },
    put: async (name, draft) => {
      const file = requireFile(root, name);
      await syncFile(draft);
      await createPrivateFolder(dirname(file));
      await rename(draft, file);
      // Its folder, that folder's own name, and that one's: each is an entry of the one above.
      for (let each = dirname(file); each.length >= root.length; each = dirname(each)) await syncFolder(each);
    },
    findSizeBytes: async (name) => {
      const file = fileOf(root, name);
      try {
        return file === undefined ? undefined : (await stat(file)).size;
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
    read: (name, range) =>
      createReadStream(requireFile(root, name), range && { start: range.first, end: range.last }),
    delete: async (name) => rm(requireFile(root, name), { force: true }),
    deleteFolder: async (name) =>
      rm(dirname(requireFile(root, `${name}/x`)), { recursive: true, force: true }),
    deleteDrafts: (beforeMs) => deleteOlder(drafts, beforeMs),
    close: async () => {
      if (folder === undefined) await rm(root, { recursive: true, force: true });
    },
  };
}

/** Folders are spread by their last digits, so that none grows too long. */
function fileOf(root: string, name: string): string | undefined {
  const id = NAME.exec(name)?.[1];
  return id === undefined ? undefined : join(root, id.slice(-2).padStart(2, '0'), name);
}

function requireFile(root: string, name: string): string {
  const file = fileOf(root, name);
  if (file === undefined) throw new RangeError(`${name} is no name of a blob`);
  return file;
}

async function deleteOlder(folder: string, beforeMs: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
