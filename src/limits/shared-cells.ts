import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { openSharedFile } from './shared-file.js';

/** The file is sparse: buckets that nothing was written to take no room. */
const BUCKETS = 0x1_0000;
/** Each slot has so many cells in each bucket, and goes on to the next bucket when these are taken. */
const CELLS = 4;
const MAX_PROBES = 8;

/** A cell: 16 bytes of the key's hash, the end in ms (a double), the count, and a check on all of these. */
const CELL_BYTES = 32;
const CELL_WORDS = CELL_BYTES / 4;
const CELL_DOUBLES = CELL_BYTES / 8;
const KEY_WORDS = 4;
const ENDS_DOUBLE = 2;
const USED_WORD = 6;
const CHECK_WORD = 7;

/**
 * A read that meets a write of the same cell lasts for nanoseconds: another look settles it. A process that was killed in
 * a write may leave half of it, which is taken as it is.
 */
const MAX_READS = 4;

/** What was found under a key. */
export interface Sighting {
  /** Of all slots, in cells that run. */
  readonly used: number;
  /** Of the cell that ends first; Infinity when none runs. */
  readonly endsMs: number;
  /** This slot's part of `used`. */
  readonly ownUsed: number;
  /** Where this slot's cell for the key is, or goes. */
  readonly ownAt: number;
}

/** Four words, evenly spread. */
export type CellKey = Uint32Array;

/** Counts under keys, with an end in time, that several processes keep in one file. */
export interface SharedCells {
  /** Adds up the cells of a key that end after `nowMs` and by `latestMs`. */
  find(key: CellKey, nowMs: number, latestMs: number): Sighting;
  /** Writes this slot's cell for a key, where `find` said that it is or goes. */
  write(key: CellKey, at: number, used: number, endsMs: number): void;
  close(): void;
}

/** Makes the empty file that `openSharedCells` takes, for this user alone. Throws system errors. */
export function createCellsFile(file: string, slots: number, buckets = BUCKETS): void {
  const fd = openSync(file, 'wx', 0o600);
  ftruncateSync(fd, buckets * slots * CELLS * CELL_BYTES);
  closeSync(fd);
}

/**
 * A hash table in a file, whose buckets have cells for each slot; a process writes its own slot's cells only. Cells are
 * never emptied, so that a key beyond a crowded bucket stays to be found; one whose end has passed is used again. Where
 * all of a slot's cells in 8 buckets run, which takes more than a hundred thousand keys at once, the one that ends first
 * is given up, and its count forgotten. Throws system errors.
 */
export function openSharedCells(
  file: string,
  { slot, slots }: { readonly slot: number; readonly slots: number },
  buckets = BUCKETS,
): SharedCells {
  const shared = openSharedFile(file);
  const bucketBytes = slots * CELLS * CELL_BYTES;
  const views = viewsOf(new ArrayBuffer(bucketBytes));
  const written = viewsOf(new ArrayBuffer(CELL_BYTES));

  const readBucket = (index: number): void => {
    for (let read = 1; read <= MAX_READS; read += 1) {
      shared.read(views.words, index * bucketBytes);
      if (isWhole(views)) return;
    }
  };

  return {
    find: (key, nowMs, latestMs) => {
      const seen = { used: 0, endsMs: Infinity, ownUsed: 0, ownAt: 0 };
      let spareEndsMs = Infinity;
      let isOwnFound = false;
      let isCrowded = true;
      const first = (key[0] ?? 0) % buckets;
      for (let probe = 0; isCrowded && probe < MAX_PROBES; probe += 1) {
        const index = (first + probe) % buckets;
        readBucket(index);
        isCrowded = hasCrowdedSlot(views, slots);
        for (let at = 0; at < slots * CELLS; at += 1) {
          const isOwn = at >= slot * CELLS && at < (slot + 1) * CELLS;
          const isSame = hasKey(views, at, key);
          if (!isOwn && !isSame) continue;
          const endsMs = endsMsOf(views, at);
          const isRunning = isSame && endsMs > nowMs && endsMs <= latestMs;
          const used = isRunning ? usedOf(views, at) : 0;
          seen.used += used;
          if (isRunning) seen.endsMs = Math.min(seen.endsMs, endsMs);
          if (!isOwn || isOwnFound || (!isSame && endsMs >= spareEndsMs)) continue;
          isOwnFound = isSame;
          spareEndsMs = endsMs;
          seen.ownUsed = used;
          seen.ownAt = index * bucketBytes + at * CELL_BYTES;
        }
      }
      return seen;
    },
    write: (key, at, used, endsMs) => {
      for (let word = 0; word < KEY_WORDS; word += 1) written.words[word] = key[word] ?? 0;
      written.doubles[ENDS_DOUBLE] = endsMs;
      written.words[USED_WORD] = used;
      written.words[CHECK_WORD] = checkOf(written, 0);
      shared.write(written.words, at);
    },
    close: () => shared.close(),
  };
}

/** The same bytes as what they hold, in the machine's own order: no other machine reads them. */
interface Views {
  readonly words: Uint32Array;
  readonly doubles: Float64Array;
}

function viewsOf(bytes: ArrayBuffer): Views {
  return { words: new Uint32Array(bytes), doubles: new Float64Array(bytes) };
}

function endsMsOf({ doubles }: Views, at: number): number {
  return doubles[at * CELL_DOUBLES + ENDS_DOUBLE] ?? 0;
}

function usedOf({ words }: Views, at: number): number {
  return words[at * CELL_WORDS + USED_WORD] ?? 0;
}

function hasKey({ words }: Views, at: number, sought: CellKey): boolean {
  for (let word = 0; word < KEY_WORDS; word += 1) {
    if (words[at * CELL_WORDS + word] !== sought[word]) return false;
  }
  return true;
}

function hasCrowdedSlot(views: Views, slots: number): boolean {
  for (let slot = 0; slot < slots; slot += 1) {
    let taken = 0;
    for (let at = slot * CELLS; at < (slot + 1) * CELLS; at += 1) if (endsMsOf(views, at) > 0) taken += 1;
    if (taken === CELLS) return true;
  }
  return false;
}

/** A cell never written to is zero, and so is its check. Most are, and the words of a cell are written from the first on. */
function isWhole(views: Views): boolean {
  const { words } = views;
  for (let at = 0; at * CELL_WORDS < words.length; at += 1) {
    const check = words[at * CELL_WORDS + CHECK_WORD];
    if (check === 0 && words[at * CELL_WORDS] === 0) continue;
    if (check !== checkOf(views, at)) return false;
  }
  return true;
}

function checkOf({ words }: Views, at: number): number {
  let check = 0;
  for (let word = at * CELL_WORDS; word < at * CELL_WORDS + CHECK_WORD; word += 1) {
    check = (Math.imul(check, 31) + (words[word] ?? 0)) >>> 0;
  }
  return check;
}
