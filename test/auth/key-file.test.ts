import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ephemeralKey,
  isOpenToOthers,
  keyFileBeside,
  KeyFileRefused,
  loadKeyFile,
} from '../../src/services/secrets/key-file.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pipit-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the key file', () => {
  it('is stored beside the database (SECURITY.md)', () => {
    expect(keyFileBeside('data/pipit.db')).toBe(join('data', 'pipit.key'));
  });

  it('is created when missing, with its folder: 32 bytes readable by the owner only', async () => {
    const file = join(directory, 'new', 'pipit.key');
    const key = await loadKeyFile(file);
    expect(key).toHaveLength(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file)).toEqual(key);
    expect(await readdir(join(directory, 'new'))).toEqual(['pipit.key']);
  });

  it('is the same for all processes, also when they start concurrently', async () => {
    const file = join(directory, 'pipit.key');
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadKeyFile(file)));
    const all = [...keys, await loadKeyFile(file)].map((key) => key.toString('hex'));
    expect(new Set(all).size).toBe(1);
    expect(await readdir(directory)).toEqual(['pipit.key']);
  });

  it.each([0, 31, 33])('is refused with %i bytes', async (length) => {
    const file = join(directory, 'pipit.key');
    await writeFile(file, Buffer.alloc(length), { mode: 0o600 });
    await expect(loadKeyFile(file)).rejects.toThrow(KeyFileRefused);
    await expect(loadKeyFile(file)).rejects.toThrow('is not 32 bytes long');
  });

  it.each([0o640, 0o604, 0o620])('is refused when others can access it (mode %i)', async (mode) => {
    const file = join(directory, 'pipit.key');
    await loadKeyFile(file);
    await chmod(file, mode);
    await expect(loadKeyFile(file)).rejects.toThrow('chmod 600');
  });

  it.each([
    [0o440, true],
    [0o400, true],
    [0o460, false],
    [0o444, false],
  ])('of root with the mode %i is read by another user: %s', (mode, isRead) => {
    expect(isOpenToOthers({ mode, uid: 0 }, 1_000)).toBe(!isRead);
    expect(isOpenToOthers({ mode: 0o440, uid: 1_000 }, 1_000)).toBe(true);
  });

  it('does not exist for a database in memory, which has a new key each time', () => {
    expect(ephemeralKey()).toHaveLength(32);
    expect(ephemeralKey()).not.toEqual(ephemeralKey());
  });
});
