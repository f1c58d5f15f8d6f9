import { loadWorldFile } from '../world/world-file.js';
import type { PostWriter } from '../services/posts/write-post.js';
import type { WholeBlobs } from '../stores/blobs/whole-blobs.js';
import { fileBesideDatabase, worldDeps, type Backend } from './backend.js';
import type { Config } from './config.js';
import { makeFirstCredentials, type FirstPassword, type FirstStart } from './first-start.js';

/** The credentials file, beside the database file or in the data folder. */
const CREDENTIALS_FILE = 'credentials.json';

/** The parts of a server that loading needs. */
interface Filled {
  readonly backend: Backend;
  readonly writer: PostWriter;
  readonly media: { readonly blobs: WholeBlobs };
}

/** Loads the configured world files, and the first credentials into an empty database. */
export async function fillDatabase(
  config: Config,
  { backend, writer, media }: Filled,
  password?: FirstPassword,
): Promise<FirstStart | undefined> {
  for (const file of config.load) await loadWorldFile(worldDeps(backend, writer, media.blobs), file);
  const file = fileBesideDatabase(config.database, CREDENTIALS_FILE);
  const credentials = await makeFirstCredentials(worldDeps(backend, writer), file, password);
  return credentials && { credentials, file };
}
