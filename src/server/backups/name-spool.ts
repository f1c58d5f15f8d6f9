import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../database/private-file.js';
import { shardOf } from '../../stores/blobs/disk-blobs.js';
import { grouped } from '../../core/grouped.js';

/** The folders of files of media: the last two digits of their ids. */
export const SHARDS = Array.from({ length: 100 }, (_unused, number) => String(number).padStart(2, '0'));

/** Names of files on disk, by shard: all names of a large network would take much memory. */
export class NameSpool {
  constructor(readonly folder: string) {}

  async add(names: readonly string[]): Promise<void> {
    const byShard = grouped(names.map((name) => [shardOf(name), name]));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const [shard, its] of byShard)
      await appendFile(join(this.folder, shard), its.map((name) => `${name}\n`).join(''));
  }

  /** Returns the names of a shard in order, each once. */
  async namesIn(shard: string): Promise<string[]> {
    const text = (await orMissing(readFile(join(this.folder, shard), 'utf8'))) ?? '';
    return [...new Set(text.split('\n').filter((name) => name !== ''))].sort();
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
