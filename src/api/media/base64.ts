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

function notBase64(name: string): Error {
  return invalidRequest(name, [], `${name} is no base64.`);
}
