import { normalizeText } from '../unicode.js';

const INVALID_CHARACTERS = /[\u0000\uFFFE\uFEFF\uFFFF]|\p{Cs}/u;
const WHITE_SPACE = /\p{White_Space}/u;

/**
 * Returns a post's text as stored and counted: NFC, without surrounding white space (docs/api/posts.md#length).
 * U+FEFF is not trimmed, so that `hasInvalidCharacters` detects it.
 */
export function normalizePostText(raw: string): string {
  return normalizeText(trimWhiteSpace(raw), 'NFC');
}

/**
 * Reports whether a text contains characters not allowed in posts: U+FFFE, U+FEFF, U+FFFF (by the published text
 * configuration, which allows directional marks), lone surrogates, and U+0000, which not every database stores.
 */
export function hasInvalidCharacters(text: string): boolean {
  return INVALID_CHARACTERS.test(text);
}

/**
 * Trims white space. `trim` would also remove U+FEFF, and a pattern for trailing white space takes quadratic time.
 */
function trimWhiteSpace(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && WHITE_SPACE.test(raw.charAt(start))) start++;
  while (end > start && WHITE_SPACE.test(raw.charAt(end - 1))) end--;
  return raw.slice(start, end);
}
