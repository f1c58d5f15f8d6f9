import { KEY_BYTES } from './vault.js';

/** Where the key of a database's secrets is: in a file, or given to the server in a secret variable. */
export type KeyPlace =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'given'; readonly key: Buffer };

/** Returns the key in a text: its bytes in hexadecimal or base64; undefined for any other text. */
export function parseKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}
