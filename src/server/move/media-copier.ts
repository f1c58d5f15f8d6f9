import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RowSum } from '../../database/row-sums.js';
import { keyOfRow, type StoredTable } from '../../database/stored-rows.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { filesOf, isSegment, mayBeAbsent, MEDIA_TABLES, pagesOf } from '../media-names.js';
import type { CopiedRows } from './change-copier.js';
import { MoveRefused, type Sides } from './sides.js';

/** Where the files of media are, on both sides. */
export interface MediaStores {
  readonly from: BlobStore;
  readonly to: BlobStore;
}

/** What was copied. */
export interface MediaCopied {
  /** The number of files and the sum of the hashes of their names and contents. */
  readonly sum: RowSum;
  bytes: number;
  /** The names of files that rows name and the source does not have. */
  readonly missing: Set<string>;
}

const PAGE_ROWS = 500;
const FILES_AT_ONCE = 4;

/** Copies the files of media that rows name, from any store to any other. */
export class MediaCopier {
  readonly copied: MediaCopied = { sum: new RowSum(), bytes: 0, missing: new Set() };
  readonly #seen = new Set<string>();

  constructor(
    private readonly sides: Sides,
    private readonly stores: MediaStores,
    private readonly onFiles: (files: number) => void,
  ) {}

  /** Copies the files of all media. Files that are there already are compared. */
  async copyAll(): Promise<void> {
    for (const table of this.#tables()) await this.#copyOf(table);
  }

  /** Copies the segments of uploads again: their rows are written before their files. */
  async copySegments(): Promise<void> {
    for (const table of this.#tables()) if (table.name === 'media_segments') await this.#copyOf(table);
  }

  /** Copies the files of changed rows, and deletes those of deleted media. */
  async copyChanged({ table, keys, now }: CopiedRows): Promise<void> {
    if (!(table.name in MEDIA_TABLES)) return;
    await this.#copyFiles(now.flatMap((row) => filesOf(table, row)));
    if (table.name !== 'media' || now.length === keys.length) return;
    const kept = new Set(now.map((row) => keyOfRow(table, row)[0]));
    for (const [id = ''] of keys) if (!kept.has(id)) await this.stores.to.deleteFolder(id);
  }

  #tables(): StoredTable[] {
    return this.sides.tables.filter(({ name }) => name in MEDIA_TABLES);
  }

  async #copyOf(table: StoredTable): Promise<void> {
    for await (const page of pagesOf(this.sides.from, table, PAGE_ROWS))
      await this.#copyFiles(page.flatMap((row) => filesOf(table, row)));
  }

  async #copyFiles(names: readonly string[]): Promise<void> {
    const left = [...new Set(names)].filter((name) => !this.#seen.has(name));
    const copySome = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        this.sides.requireRunning();
        await this.#copyFile(name);
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, copySome));
  }

  async #copyFile(name: string): Promise<void> {
    const { from, to } = this.stores;
    const bytes = await from.findSizeBytes(name);
    if (bytes === undefined) {
      if (!mayBeAbsent(name)) this.copied.missing.add(name);
      return;
    }
    // Rows of media may be written before their files.
    this.copied.missing.delete(name);
    const isThere = (await to.findSizeBytes(name)) === bytes;
    const expected = isThere ? await hashOf(from, name) : await copy(this.stores, name);
    if ((await hashOf(to, name)) !== expected) {
      if (!isThere || (await copy(this.stores, name)) !== (await hashOf(to, name)))
        throw new MoveRefused(`the file ${name} is not the same in both stores`);
    }
    // A segment is replaced under its name.
    if (!isSegment(name)) this.#seen.add(name);
    this.copied.sum.add([name, expected]);
    this.copied.bytes += bytes;
    this.onFiles(this.copied.sum.rows);
  }
}

/** Copies a file and returns the hash of its bytes. */
async function copy({ from, to }: MediaStores, name: string): Promise<string> {
  const hash = createHash('sha256');
  const draft = await to.newDraft();
  try {
    await pipeline(
      await read(from, name),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(draft, { flags: 'r+' }),
    );
    await to.put(name, draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return hash.digest('hex');
}

async function read(blobs: BlobStore, name: string): Promise<Readable> {
  const bytes = await blobs.read(name);
  if (bytes === undefined)
    throw new MoveRefused(`the file ${name} disappeared: the same command continues the move`);
  return bytes;
}

async function hashOf(blobs: BlobStore, name: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await read(blobs, name), hash);
  return hash.digest('hex');
}
