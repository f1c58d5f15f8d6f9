import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import * as ownProcess from 'node:process';
import { createPrivateFile, hasCode } from '../../database/private-file.js';
import { KEY_BYTES } from './vault.js';
import { NamedError } from '../../core/named-error.js';

/** The name of the key file. */
export const KEY_FILE = 'pipit.key';

const ANY_ACCESS_OF_OTHERS = 0o077;
const MORE_THAN_READ_BY_GROUP = 0o037;
const ROOT = 0;

/**
 * Returns true if a key file gives access to other users. A file of root may let this process read it as its group:
 * so do keys that a service manager provides.
 */
export function isOpenToOthers(
  { mode, uid }: { readonly mode: number; readonly uid: number },
  ownUid = ownProcess.getuid?.(),
): boolean {
  if (platform() === 'win32') return false;
  const isProvided = uid === ROOT && ownUid !== ROOT;
  return (mode & (isProvided ? MORE_THAN_READ_BY_GROUP : ANY_ACCESS_OF_OTHERS)) !== 0;
}

/** Thrown when the key file cannot be used; the message names the file and the reason. */
export class KeyFileRefused extends NamedError {}

/** Returns a key that is not stored, for an in-memory database. */
export function ephemeralKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Returns the path of the key file for an SQLite database: in the same directory (SECURITY.md). */
export function keyFileBeside(databaseFile: string): string {
  return join(dirname(databaseFile), KEY_FILE);
}

/**
 * Reads the key file, or creates it (mode 0600, synced to disk) when it does not exist. Processes that start
 * concurrently all get the same key. Throws KeyFileRefused for a file of the wrong length or with access for other
 * users.
 */
export async function loadKeyFile(file: string): Promise<Buffer> {
  const existing = await readKeyFile(file);
  if (existing) return existing;
  // Creation is atomic: a partially written key would make sealed secrets unreadable.
  await createPrivateFile(file, randomBytes(KEY_BYTES));
  const created = await readKeyFile(file);
  if (!created) throw new KeyFileRefused(`the key file ${file} disappeared while it was being created`);
  return created;
}

/** Reads a key file; undefined if there is none. Throws KeyFileRefused as `loadKeyFile` does. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  try {
    if (isOpenToOthers(await stat(file))) {
      throw new KeyFileRefused(`the key file ${file} is accessible to other users; run chmod 600 on it`);
    }
    const key = await readFile(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new KeyFileRefused(
    `the key file ${file} is not ${KEY_BYTES} bytes long: it is damaged or not a key file`,
  );
}
