import { invalidRequest } from '../../core/errors.js';

const NOT_BASE64 = /[^A-Za-z0-9+/_\s=-]/;

/** Decodes base64. Throws 'invalid-request' for other text. */
export function fromBase64(name: string, text: string): Buffer {
  const padding = text.indexOf('=');
  const isPadded = padding === -1 || /^={1,2}$/.test(text.slice(padding).trimEnd());
  if (NOT_BASE64.test(text) || !isPadded) throw notBase64(name);
  return Buffer.from(text, 'base64');
}

/** Three characters and padding. */
const MAX_LAST_LENGTH = 5;

/** Decodes base64 as a stream. Throws like `fromBase64`. */
export async function* decodeBase64(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk).toString('latin1').replaceAll(/\s/g, '');
    const padding = text.indexOf('=');
    const end = padding === -1 ? text.length : padding;
    const whole = end - (end % 4);
    if (whole > 0) yield fromBase64(name, text.slice(0, whole));
    rest = text.slice(whole);
    if (rest.length > MAX_LAST_LENGTH) throw notBase64(name);
  }
  if (rest !== '') yield fromBase64(name, rest);
}

/** How JPEG, PNG, GIF and WebP begin in base64. */
const ENCODED_PICTURE = /^\s*(?:\/9j\/|iVBOR|R0lGOD|UklGR)/;

/** The characters that tell an encoded picture. */
const SIGNATURE = 64;

/** Decodes a picture that may be in base64, by how it begins. Throws like `fromBase64`. */
export async function* decodePicture(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let sizeBytes = 0;
  while (sizeBytes < SIGNATURE) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    begun.push(value);
    sizeBytes += value.length;
  }
  const whole = restOf(begun, iterator);
  const isEncoded = ENCODED_PICTURE.test(Buffer.concat(begun).toString('latin1', 0, SIGNATURE));
  yield* isEncoded ? decodeBase64(name, whole) : whole;
}

async function* restOf(
  begun: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* begun;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

function notBase64(name: string): Error {
  return invalidRequest(name, [], `${name} is no base64.`);
}
