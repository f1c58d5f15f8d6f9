import { hash } from 'node:crypto';
import type { StoredRow } from './stored-rows.js';

const BITS = 128;

/**
 * The checksum of a table: the number of its rows and the sum of their hashes, which no order of rows changes. Two
 * engines have the same checksum if and, but for a chance of 2^-128, only if they have the same rows.
 */
export class RowSum {
  rows = 0;
  private sum = 0n;

  add(row: StoredRow): void {
    this.rows += 1;
    this.sum = BigInt.asUintN(BITS, this.sum + hashOf(row));
  }

  remove(row: StoredRow): void {
    this.rows -= 1;
    this.sum = BigInt.asUintN(BITS, this.sum - hashOf(row));
  }

  /** The sum in 32 hexadecimal digits. */
  get hex(): string {
    return this.sum.toString(16).padStart(32, '0');
  }
}

/** Values are told apart by their lengths, so that no two rows have the same text. */
function hashOf(row: StoredRow): bigint {
  let text = '';
  for (const value of row) text += value === null ? '-,' : `${value.length}:${value},`;
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 32)}`);
}
