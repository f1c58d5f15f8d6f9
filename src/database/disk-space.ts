import type { Finding } from './inspection.js';

const MIB = 1024 * 1024;
const MIN_FREE_BYTES = 100 * MIB;
const RECOMMENDED_FREE_BYTES = 1024 * MIB;

/** The fields of statfs(2) that give the free space of a disk. */
export interface FreeBlocks {
  /** Blocks available to unprivileged users. */
  readonly bavail: number;
  /** The size of a block in bytes. */
  readonly bsize: number;
}

/** Checks whether the disk of a database has enough free space; `where` is appended to the message. */
export function checkDiskSpace({ bavail, bsize }: FreeBlocks, where = ''): Finding {
  const freeBytes = bavail * bsize;
  const level =
    freeBytes < MIN_FREE_BYTES ? 'problem' : freeBytes < RECOMMENDED_FREE_BYTES ? 'warning' : 'ok';
  return { level, check: 'disk', message: `${inMib(freeBytes)} free${where}` };
}

/** Formats a number of bytes for the operator. */
export function inMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
