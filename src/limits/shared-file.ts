import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import type koffiPackage from 'koffi';

/** A file that several processes read and write at once, by 32-bit words. */
export interface SharedFile {
  /** Fills the words with what is at a byte of the file; half of it may be from before a write that it meets. */
  read(words: Uint32Array, at: number): void;
  /** From then on all read these words there; what this process reads afterwards was not read before. */
  write(words: Uint32Array, at: number): void;
  close(): void;
}

/** A block lies within a page of memory of any machine. */
const BLOCK_BYTES = 4096;

/**
 * Opens a file whose length stays. Where the machine can map files into memory, reading and writing takes no system calls:
 * of those, each cost a request some microseconds. Throws system errors.
 *
 * A block is only used in memory after this process wrote to it as to a file: on a full disk, a write to a file throws,
 * but a write to memory ends the process.
 */
export function openSharedFile(file: string): SharedFile {
  const fd = openSync(file, 'r+');
  const { size } = fstatSync(fd);
  const mapped = mapFile(fd, size);
  const isThere = new Uint8Array(Math.ceil(size / BLOCK_BYTES));

  const isInMemory = (at: number, bytes: number): boolean =>
    isThere[Math.floor(at / BLOCK_BYTES)] === 1 && isThere[Math.floor((at + bytes - 1) / BLOCK_BYTES)] === 1;

  return {
    read: (words, at) => {
      if (mapped && isInMemory(at, words.byteLength)) copyIn(words, mapped.words, at / 4);
      else readSync(fd, words, 0, words.byteLength, at);
    },
    write: (words, at) => {
      if (mapped && isInMemory(at, words.byteLength)) {
        copyOut(words, mapped.words, at / 4);
        return;
      }
      writeSync(fd, words, 0, words.byteLength, at);
      isThere.fill(
        1,
        Math.floor(at / BLOCK_BYTES),
        Math.floor((at + words.byteLength - 1) / BLOCK_BYTES) + 1,
      );
    },
    close: () => {
      isThere.fill(0);
      mapped?.unmap();
      closeSync(fd);
    },
  };
}

/** As others may do the same with their words, nothing that is read after a write may have been read before: so Atomics. */
function copyIn(words: Uint32Array, memory: Uint32Array, from: number): void {
  words[0] = Atomics.load(memory, from);
  for (let word = 1; word < words.length; word += 1) words[word] = memory[from + word] ?? 0;
}

function copyOut(words: Uint32Array, memory: Uint32Array, to: number): void {
  const last = words.length - 1;
  for (let word = 0; word < last; word += 1) memory[to + word] = words[word] ?? 0;
  Atomics.store(memory, to + last, words[last] ?? 0);
}

interface MappedFile {
  readonly words: Uint32Array;
  /** After this the words are gone: touching them ends the process. */
  unmap(): void;
}

/** Where `off_t` has 64 bits, and the flags these values (POSIX leaves them open, but these systems agree). */
const SYSTEMS = ['linux', 'darwin', 'freebsd', 'openbsd'];
const ARCHITECTURES = ['x64', 'arm64'];
const PROT_READ_AND_WRITE = 3;
const MAP_SHARED = 1;

/** The whole file as memory (mmap of POSIX); undefined where that cannot be had. */
function mapFile(fd: number, size: number): MappedFile | undefined {
  if (!SYSTEMS.includes(platform()) || !ARCHITECTURES.includes(arch())) return undefined;
  try {
    // Only servers of several processes come here: others need not load it.
    const koffi = createRequire(import.meta.url)('koffi') as typeof koffiPackage;
    const program = koffi.load(null);
    const mmap = program.func('void *mmap(void *, size_t, int, int, int, int64_t)');
    const munmap = program.func('int munmap(void *, size_t)');
    const address: unknown = mmap(null, size, PROT_READ_AND_WRITE, MAP_SHARED, fd, 0);
    if (BigInt.asIntN(64, koffi.address(address)) === -1n) return undefined;
    return {
      words: new Uint32Array(koffi.view(address, size)),
      unmap: () => void munmap(address, size),
    };
  } catch {
    return undefined;
  }
}
