import { hash, timingSafeEqual } from 'node:crypto';
import type { Cursor } from '../core/page.js';
import { deriveKey } from '../services/secrets/vault.js';

export type PageTokens = ReturnType<typeof createPageTokens>;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS_PER_CHARACTER = 5;
const NUMBER_BYTES = 8;
const MAX_EXTRA = 13;
/** 80 bits, which cannot be guessed over a network. */
const TAG_BYTES = 10;
const MAX_TOKEN_BYTES = TAG_BYTES + 1 + NUMBER_BYTES * (1 + MAX_EXTRA);

/**
 * Creates the conversion of cursors to the opaque tokens of `meta` and back (docs/api/requests.md#paging). Tokens
 * remain valid across restarts and processes with the same key.
 */
export function createPageTokens(key: Uint8Array) {
  const tagKey = deriveKey(key, 'pipit page token v1');
  const maskKey = deriveKey(key, 'pipit page token mask v1');
  // A hash of key and text takes a third of the time of an HMAC. Nobody can extend the text, because a tag shows a
  // third of its hash, and masks are made of seeds of fixed lengths.
  const tagOf = (body: Buffer, scope: string): Buffer =>
    hash('sha256', Buffer.concat([tagKey, body, Buffer.from(scope)]), 'buffer').subarray(0, TAG_BYTES);
  const maskOf = (seed: Buffer, length: number): Buffer => {
    const mask = hash('sha512', Buffer.concat([maskKey, seed]), 'buffer');
    return mask.length >= length ? mask : Buffer.concat([mask, maskOf(mask, length - mask.length)]);
  };
  // Hides positions, which may be ids of posts that the viewer must not see.
  const masked = (body: Buffer, tag: Buffer): Buffer => {
    const mask = maskOf(tag, body.length);
    for (let at = 0; at < body.length; at += 1) body[at] = (body[at] as number) ^ (mask[at] as number);
    return body;
  };
  return {
    /**
     * Returns a token of the characters a to z and 2 to 7, deterministic for a cursor. `scope` names its context
     * (operation, path, viewer, filters); the token opens only under the same scope. Throws RangeError for a cursor
     * with more than 13 extra numbers.
     */
    seal: (cursor: Cursor, scope: string): string => {
      const body = encodeCursor(cursor);
      const tag = tagOf(body, scope);
      return toText(Buffer.concat([tag, masked(body, tag)]));
    },
    /** Returns the cursor; undefined for a token of another scope or database, or a modified one. */
    open: (token: string, scope: string) => {
      const bytes = fromText(token);
      if (!bytes) return undefined;
      const tag = bytes.subarray(0, TAG_BYTES);
      const body = masked(bytes.subarray(TAG_BYTES), tag);
      return timingSafeEqual(tagOf(body, scope), tag) ? decodeCursor(body) : undefined;
    },
  };
}

/** The body starts with the count of its numbers, so that body and scope cannot be confused. */
function encodeCursor({ direction, position, extra }: Cursor): Buffer {
  if (extra.length > MAX_EXTRA) throw new RangeError(`a cursor has ${extra.length} extra numbers`);
  const numbers = [position, ...extra];
  const body = Buffer.alloc(1 + NUMBER_BYTES * numbers.length);
  body.writeUInt8((direction === 'next' ? 0 : 0x80) | numbers.length, 0);
  numbers.forEach((number, at) => body.writeBigInt64BE(number, 1 + NUMBER_BYTES * at));
  return body;
}

function decodeCursor(body: Buffer): Cursor {
  const head = body.readUInt8(0);
  const numbers = Array.from({ length: head & 0x7f }, (_, at) => body.readBigInt64BE(1 + NUMBER_BYTES * at));
  const [position = 0n, ...extra] = numbers;
  return { direction: head < 0x80 ? 'next' : 'previous', position, extra };
}

function toText(bytes: Buffer): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (held += 8; held >= BITS_PER_CHARACTER;) {
      held -= BITS_PER_CHARACTER;
      text += ALPHABET.charAt((bits >> held) & 31);
    }
  }
  return held === 0 ? text : text + ALPHABET.charAt((bits << (BITS_PER_CHARACTER - held)) & 31);
}

/** Returns undefined for texts that `toText` never returns: other characters or lengths, or nonzero trailing bits. */
function fromText(text: string): Buffer | undefined {
  const length = Math.floor((text.length * BITS_PER_CHARACTER) / 8);
  if (length <= TAG_BYTES || length > MAX_TOKEN_BYTES) return undefined;
  const bytes = Buffer.alloc(length);
  let [bits, held, at] = [0, 0, 0];
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value === -1) return undefined;
    bits = ((bits << BITS_PER_CHARACTER) | value) & 0xfff;
    held += BITS_PER_CHARACTER;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 0xff;
  }
  return toText(bytes) === text ? bytes : undefined;
}
