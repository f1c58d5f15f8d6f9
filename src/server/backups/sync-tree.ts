import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../database/private-file.js';

/**
 * Brings a folder with everything in it to disk: by one call for the whole file system where the system has it, as
 * thousands of folders would each take a write of the disk.
 */
export async function syncTree(folder: string, program = 'sync'): Promise<void> {
  const child = spawn(program, ['--file-system', folder], { stdio: 'ignore' });
  const ended: Promise<unknown[]> = once(child, 'close');
  const [status] = await ended.catch(() => []);
  if (status !== 0) await syncEach(folder);
}

async function syncEach(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncEach(path) : syncFile(path));
  }
  await syncFolder(folder);
}
