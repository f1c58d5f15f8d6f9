import type { Finding } from './inspection.js';

const MIB = 1024 * 1024;
const LEAST_FREE_BYTES = 100 * MIB;
const GOOD_FREE_BYTES = 1024 * MIB;

/** The part of statfs(2) that tells how full a disk is. */
export interface FreeBlocks {
  /** Free to those who are no superusers. */
  readonly bavail: number;
  /** Of a block, in bytes. */
  readonly bsize: number;
}

/** Whether what is free on the disk of a database suffices; `where` is added to the message. */
export function checkDiskSpace({ bavail, bsize }: FreeBlocks, where = ''): Finding {
  const freeBytes = bavail * bsize;
  const level = freeBytes < LEAST_FREE_BYTES ? 'problem' : freeBytes < GOOD_FREE_BYTES ? 'warning' : 'ok';
  return { level, check: 'disk', message: `${inMib(freeBytes)} free${where}` };
}

/** A number of bytes as an operator reads it. */
export function inMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
