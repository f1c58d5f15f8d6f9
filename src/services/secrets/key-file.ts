import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { createPrivateFile, hasCode } from '../../database/private-file.js';
import { KEY_BYTES } from './vault.js';

/** What the key file is called, wherever it is. */
export const KEY_FILE = 'pipit.key';
const READABLE_BY_OTHERS = 0o077;

/** The key file cannot be used; the message tells the operator which and why. */
export class KeyFileRefused extends Error {
  override readonly name = 'KeyFileRefused';
}

/** A key that dies with the process, for a database that does too. */
export function ephemeralKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Where the key of an SQLite database is kept: beside its file (SECURITY.md). */
export function keyFileBeside(databaseFile: string): string {
  return join(dirname(databaseFile), KEY_FILE);
}

/**
 * Reads the key, or makes one (mode 0600, on disk before this resolves) when the file does not exist. Of several
 * processes that start at once, all get the same key.
 * Throws KeyFileRefused for a file of the wrong length or that others than its owner may read.
 */
export async function loadKeyFile(file: string): Promise<Buffer> {
  const existing = await readKey(file);
  if (existing) return existing;
  // Whole or not at all: a half-written key would lock out every secret sealed since.
  await createPrivateFile(file, randomBytes(KEY_BYTES));
  const created = await readKey(file);
  if (!created) throw new KeyFileRefused(`the key file ${file} vanished while it was made`);
  return created;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const { mode } = await stat(file);
    if (platform() !== 'win32' && (mode & READABLE_BY_OTHERS) !== 0) {
      throw new KeyFileRefused(`the key file ${file} is open to other users: chmod 600 it`);
    }
    const key = await readFile(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new KeyFileRefused(`the key file ${file} does not hold ${KEY_BYTES} bytes: it is damaged or no key`);
}
