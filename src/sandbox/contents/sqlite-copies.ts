import { constants, copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseCopier } from './contents.js';

const NAME = 'pipit.db';

/** The files that SQLite keeps beside a database (sqlite.org/tempfiles.html). */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Copies databases in memory. A server opens each copy as its initial contents. */
export function createMemoryCopier(folder: string): DatabaseCopier {
  return {
    isOffline: false,
    copy: async ({ engine, key }, name) => {
      const file = await newFile(folder, name);
      await engine.backup(file);
      const image = await readFile(file);
      await rm(file);
      return { restore: async () => ({ snapshot: { image, key } }), discard: async () => undefined };
    },
    clear: async () => ({}),
    close: async () => undefined,
  };
}

/** Copies the database `file`. Its key file stays as it is. */
export function createFileCopier(folder: string, file: string): DatabaseCopier {
  return {
    isOffline: false,
    copy: async ({ engine }, name) => {
      const copy = await newFile(folder, name);
      await engine.backup(copy);
      return {
        restore: async () => {
          await removeCompanions(file);
          await copyFile(copy, file, constants.COPYFILE_FICLONE);
          return {};
        },
        discard: () => rm(copy, { force: true }),
      };
    },
    clear: async () => {
      await removeCompanions(file);
      await rm(file, { force: true });
      return {};
    },
    close: async () => undefined,
  };
}

async function newFile(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  return join(folder, name, NAME);
}

async function removeCompanions(file: string): Promise<void> {
  for (const ending of COMPANIONS) await rm(file + ending, { force: true });
}
