import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createPrivateFolder } from '../../database/private-file.js';
import { databaseFile, fileBesideDatabase, MEDIA_FOLDER } from '../../server/backend.js';
import { openDatabaseCopies } from '../../database/open-engine.js';
import { isInMemory, type Config } from '../../server/config.js';
import { createContents, type DatabaseCopier } from './contents.js';
import { createPostgresCopier } from './postgres-copies.js';
import { createFileCopier, createMemoryCopier } from './sqlite-copies.js';
import { createWorkingFolder } from '../../database/working-folder.js';

/**
 * Opens the contents of a sandbox's database. Its copies are in a temporary folder, which `close` deletes: beside the
 * database file, if there is one, so that media can be linked instead of copied.
 */
export async function openContents({ database }: Pick<Config, 'database'>, dataFolder?: string) {
  const file = databaseFile(database);
  if (file !== undefined) await createPrivateFolder(dirname(file));
  const folder = await createWorkingFolder(
    file === undefined
      ? join(tmpdir(), 'pipit-sandbox-')
      : join(dirname(file), `.${basename(file)}-sandbox-`),
  );
  const media = fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) ?? join(folder.path, MEDIA_FOLDER);
  const copies = join(folder.path, 'copies');
  const copier = await openCopier(database, copies);
  const contents = createContents(copier, { media, copies });
  return {
    ...contents,
    /** The folder of the media of the server. */
    mediaFolder: media,
    close: async () => {
      await contents.close();
      await folder.remove();
    },
  };
}

async function openCopier(database: string, copies: string): Promise<DatabaseCopier> {
  const file = databaseFile(database);
  if (file !== undefined) return createFileCopier(copies, file);
  if (isInMemory(database)) return createMemoryCopier(copies);
  return createPostgresCopier(await openDatabaseCopies(database));
}

export type OpenContents = Awaited<ReturnType<typeof openContents>>;
