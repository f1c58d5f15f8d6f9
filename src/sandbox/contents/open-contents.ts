import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createPrivateFolder } from '../../database/private-file.js';
import { databaseFile, fileBesideDatabase, MEDIA_FOLDER } from '../../server/backend.js';
import type { Config } from '../../server/config.js';
import { createContents } from './contents.js';
import { createFileCopier, createMemoryCopier } from './sqlite-copies.js';

/**
 * Opens the contents of a sandbox's database. Its copies are in a temporary folder, which `close` deletes: beside the
 * database file, if there is one, so that media can be linked instead of copied.
 */
export async function openContents({ database }: Pick<Config, 'database'>, dataFolder?: string) {
  const file = databaseFile(database);
  if (file !== undefined) await createPrivateFolder(dirname(file));
  const folder = await mkdtemp(
    file === undefined
      ? join(tmpdir(), 'pipit-sandbox-')
      : join(dirname(file), `.${basename(file)}-sandbox-`),
  );
  const media = fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) ?? join(folder, MEDIA_FOLDER);
  const copies = join(folder, 'copies');
  const copier = file === undefined ? createMemoryCopier(copies) : createFileCopier(copies, file);
  const contents = createContents(copier, { media, copies });
  return {
    ...contents,
    /** The folder of the media of the server. */
    mediaFolder: media,
    close: async () => {
      await contents.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type OpenContents = Awaited<ReturnType<typeof openContents>>;
