import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
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

/** Where the key of an SQLite database is kept: beside its file (design section 6). */
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
  await createKey(file);
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
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new KeyFileRefused(`the key file ${file} does not hold ${KEY_BYTES} bytes: it is damaged or no key`);
}

/** A complete file appears under its name or none does: a half-written key would lock out every secret sealed since. */
async function createKey(file: string): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeDurably(draft, randomBytes(KEY_BYTES));
  try {
    await link(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  await syncDirectory(directory);
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
