import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../database/engine.js';
import { fileExists, hasCode } from '../../database/private-file.js';
import { findBackupFacts, removeBackupFacts, type BackupFacts } from '../../stores/backups.js';
import { copyBlobs, storeBlobs } from '../../stores/blobs/copy-blobs.js';
import { openBlobs } from '../../stores/blobs/open-blobs.js';
import { BackupRefused } from './backup-refused.js';
import type { MediaTarget } from './restore-media.js';

/** Backups of former versions: a file of SQLite with the key in a table, and files of media in `FILE.media`. */

/** Turns a copy of a backup into a database and returns the facts stored in it. */
export async function extractFacts(copy: Engine, file: string): Promise<BackupFacts> {
  const facts = await findBackupFacts(copy).catch((cause: unknown) => {
    throw new BackupRefused(`${file} is not a Pipit backup`, { cause });
  });
  await copy.tx('remove backup facts', removeBackupFacts);
  return facts;
}

/** Describes a file that is no database. */
export function notABackup(file: string, error: unknown): unknown {
  const isOther = error instanceof Error && hasCode(error.cause, 'SQLITE_NOTADB');
  return isOther ? new BackupRefused(`${file} is not a Pipit backup`, { cause: error }) : error;
}

/** Adds the files of media to a store. Throws BackupRefused if they are not beside the backup. */
export async function restoreFormerMedia(file: string, { media, mediaFolder }: MediaTarget): Promise<void> {
  const from = `${file}.media`;
  if (!(await fileExists(from)))
    throw new BackupRefused(`${from} is missing: it belongs to ${file} (--without-media restores the rest)`);
  if (media?.kind !== 's3') return copyBlobs(from, media?.folder ?? mediaFolder);
  const drafts = await mkdtemp(join(tmpdir(), 'pipit-restore-'));
  const blobs = await openBlobs(media, drafts);
  try {
    await storeBlobs(from, blobs);
  } finally {
    await blobs.close();
    await rm(drafts, { recursive: true });
  }
}
