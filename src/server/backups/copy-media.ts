import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPrivateFolder, hasCode, orMissing } from '../../database/private-file.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { CANNOT_LINK } from '../../stores/blobs/copy-blobs.js';
import { pathOfBlob } from '../../stores/blobs/disk-blobs.js';
import { isSegment, mayBeAbsent } from '../media-names.js';
import { readSums, sumOf, type FileSum } from './checksums.js';
import { MEDIA, type MediaFacts } from './manifest.js';
import { SHARDS, type NameSpool } from './name-spool.js';

const FILES_AT_ONCE = 4;
const FILE_MODE = 0o600;

/** Where the files of a server's media are. */
export interface MediaSource {
  readonly blobs: BlobStore;
  /** Their folder on this machine; undefined for an object store. */
  readonly folder: string | undefined;
}

export interface MediaCopy {
  readonly names: NameSpool;
  readonly from: MediaSource;
  /** The folder of the new backup. */
  readonly to: string;
  /** The folder of an earlier backup of the same Pipit, if there is one. */
  readonly previous: string | undefined;
  readonly signal: AbortSignal;
  /** Takes the checksums, in the order of their names. */
  onFiles(sums: readonly FileSum[]): Promise<void>;
}

/**
 * Copies the files of media that rows name to a backup. A file never changes under its name, so one that an earlier
 * backup has is neither read nor stored again: it becomes a hard link, as are all files on the same file system.
 */
export async function copyMedia({
  names,
  from,
  to,
  previous,
  signal,
  onFiles,
}: MediaCopy): Promise<MediaFacts> {
  let [files, bytes] = [0, 0];
  const missing: string[] = [];
  const known = previous === undefined ? undefined : new EarlierSums(previous);
  for (const shard of SHARDS) {
    const left = await names.namesIn(shard);
    const earlier = left.length > 0 ? await known?.ofShard(shard) : undefined;
    const sums: FileSum[] = [];
    const copySome = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        signal.throwIfAborted();
        const path = `${MEDIA}/${shard}/${name}`;
        const older = earlier?.get(path);
        const before = older === undefined ? undefined : { sha256: older, file: join(previous ?? '', path) };
        const copied = await copyFile({ from, name, target: join(to, path), before });
        if (copied) {
          sums.push({ name: path, sha256: copied.sha256 });
          files += 1;
          bytes += copied.bytes;
        } else if (!mayBeAbsent(name)) missing.push(name);
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, copySome));
    await onFiles(sums.sort((one, other) => (one.name < other.name ? -1 : 1)));
  }
  await known?.close();
  return { files, bytes, missing: missing.sort() };
}

/** The checksums of an earlier backup's media, a shard at a time and in their order. */
class EarlierSums {
  readonly #sums: AsyncGenerator<FileSum>;
  #next: FileSum | undefined;

  constructor(folder: string) {
    this.#sums = readSums(folder);
  }

  async ofShard(shard: string): Promise<Map<string, string>> {
    const its = new Map<string, string>();
    const prefix = `${MEDIA}/${shard}/`;
    for (;;) {
      this.#next ??= await this.#read();
      if (this.#next === undefined) return its;
      const { name, sha256 } = this.#next;
      if (name.startsWith(`${MEDIA}/`) && name.slice(0, prefix.length) > prefix) return its;
      if (name.startsWith(prefix)) its.set(name, sha256);
      this.#next = undefined;
    }
  }

  /** An earlier backup that is damaged here helps no more. */
  async #read(): Promise<FileSum | undefined> {
    const next = await this.#sums.next().catch(() => undefined);
    return next === undefined || next.done ? undefined : next.value;
  }

  async close(): Promise<void> {
    await this.#sums.return(undefined);
  }
}

interface FileCopy {
  readonly from: MediaSource;
  readonly name: string;
  readonly target: string;
  /** The file of an earlier backup. */
  readonly before: { readonly sha256: string; readonly file: string } | undefined;
}

interface Copied {
  readonly sha256: string;
  readonly bytes: number;
}

/** Copies one file. Returns undefined if it is nowhere. */
async function copyFile(copy: FileCopy): Promise<Copied | undefined> {
  const { from, name, target } = copy;
  // A segment is replaced under its name.
  const before = isSegment(name) ? undefined : copy.before;
  await createPrivateFolder(dirname(target));
  if (from.folder !== undefined && (await tryLink(pathOfBlob(from.folder, name), target))) {
    const isSame = before !== undefined && (await isOneFile(before.file, target));
    return isSame ? { sha256: before.sha256, bytes: (await stat(target)).size } : sumOf(target);
  }
  if (before !== undefined && (await tryLink(before.file, target)))
    return { sha256: before.sha256, bytes: (await stat(target)).size };
  return download(from.blobs, name, target);
}

/** Returns false if there is no such file, or if the file system cannot link it. */
async function tryLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || CANNOT_LINK.some((code) => hasCode(error, code))) return false;
    throw error;
  }
}

async function isOneFile(one: string, other: string): Promise<boolean> {
  const [a, b] = [await orMissing(stat(one)), await stat(other)];
  return a !== undefined && a.ino === b.ino && a.dev === b.dev;
}

async function download(blobs: BlobStore, name: string, target: string): Promise<Copied | undefined> {
  const content = await blobs.read(name);
  if (content === undefined) return undefined;
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { flags: 'wx', mode: FILE_MODE }),
  );
  return { sha256: hash.digest('hex'), bytes };
}
