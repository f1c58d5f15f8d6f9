import { randomBytes } from 'node:crypto';
import { NamedError } from '../../core/named-error.js';

/** The name of what holds the id of a store, beside the blobs. */
export const STORE_ID = 'store-id';

/** Returns a new id for a store. */
export function newStoreId(): string {
  return randomBytes(12).toString('hex');
}

/** Returns the id in a text; undefined for any other text. */
export function parseStoreId(text: string): string | undefined {
  const id = text.trim();
  return /^[0-9a-f]{24}$/.test(id) ? id : undefined;
}

/** Thrown when what should hold the id of a store holds something else; the message names it. */
export class StoreIdRefused extends NamedError {}
