import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createEmptyFile,
  createPrivateFolder,
  syncFile,
  syncFolder,
  namesIn,
  orMissing,
} from '../../database/private-file.js';
import type { BlobStore } from './blob-store.js';

const DRAFTS = 'drafts';

/** An id of digits, then a file name that cannot leave its folder. */
const NAME = /^([0-9]{1,19})\/[A-Za-z0-9_-]+(?:\.[a-z0-9]+)?$/;

/**
 * Creates a store that keeps blobs as files (mode 0600) below `folder`, which is created on first use. Without
 * `folder`, uses a temporary folder that `close` deletes. Invalid names find nothing, and `put` throws for them.
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
      // Sync every folder up to the root: each new folder is an entry of its parent.
      for (let each = dirname(file); each.length >= root.length; each = dirname(each)) await syncFolder(each);
    },
    findSizeBytes: async (name) => {
      const file = fileOf(root, name);
      return file === undefined ? undefined : (await orMissing(stat(file)))?.size;
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

/**
 * Returns the path of a blob. Folders are sharded by the last two digits of the id, so that no directory grows too
 * large.
 */
function fileOf(root: string, name: string): string | undefined {
  const id = NAME.exec(name)?.[1];
  return id === undefined ? undefined : join(root, id.slice(-2).padStart(2, '0'), name);
}

function requireFile(root: string, name: string): string {
  const file = fileOf(root, name);
  if (file === undefined) throw new RangeError(`${name} is not a valid blob name`);
  return file;
}

async function deleteOlder(folder: string, beforeMs: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}
