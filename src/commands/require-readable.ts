import { access, constants, stat } from 'node:fs/promises';
import { readingFile, UnreadableFile } from '../core/unreadable-file.js';
import { CommandRefused } from './command.js';

/** Throws UnreadableFile or CommandRefused for what cannot be a database. */
export async function requireReadable(file: string): Promise<void> {
  const found = await readingFile(file, () => stat(file));
  if (!found.isFile())
    throw new UnreadableFile(file, found.isDirectory() ? 'it is a folder' : 'it is not a file');
  await readingFile(file, () => access(file, constants.R_OK));
  if (found.size === 0) throw new CommandRefused(`the file ${file} is empty`);
}
