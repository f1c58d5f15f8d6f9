import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyFile, createPrivateFolder, namesIn } from '../../database/private-file.js';

const DRAFTS = 'drafts';

/** Returns `folder`, or the path of a new temporary folder in its place, which is not created yet. */
export function folderOrTemporary(folder: string | undefined): string {
  return folder ?? join(tmpdir(), `pipit-media-${randomBytes(12).toString('hex')}`);
}

/** Creates the drafts of a store as local files (mode 0600) in the folder `drafts` of `root`, made on first use. */
export function createDrafts(root: string) {
  const folder = join(root, DRAFTS);
  return {
    create: async (): Promise<string> => {
      await createPrivateFolder(folder);
      const draft = join(folder, randomBytes(12).toString('hex'));
      await createEmptyFile(draft);
      return draft;
    },
    deleteOlder: async (beforeMs: number): Promise<void> => {
      for (const name of await namesIn(folder)) {
        const file = join(folder, name);
        const found = await stat(file).catch(() => undefined);
        if (found && found.mtimeMs < beforeMs) await rm(file, { force: true });
      }
    },
  };
}
