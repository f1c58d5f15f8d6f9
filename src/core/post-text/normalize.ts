import { normalizeText } from '../normalize-text.js';

const INVALID_CHARACTERS = /[\u0000\uFFFE\uFEFF\uFFFF]|\p{Cs}/u;
const WHITE_SPACE = /\p{White_Space}/u;

/**
 * The form in which a post's text is stored and counted: NFC, without white space around it (docs/api/posts.md#length). U+FEFF is no white space here, so that `hasInvalidCharacters` still sees it.
 */
export function normalizePostText(raw: string): string {
  return normalizeText(trimWhiteSpace(raw), 'NFC');
}

/**
 * Whether a text holds characters that no post may have: U+FFFE, U+FEFF, U+FFFF (the rule of the published text
 * configuration, which allows directional marks), lone surrogates, which are no characters, and U+0000, which not
 * every storage engine can hold.
 */
export function hasInvalidCharacters(text: string): boolean {
  return INVALID_CHARACTERS.test(text);
}

/** By hand, since `trim` also takes U+FEFF away and a pattern for trailing white space needs quadratic time. */
function trimWhiteSpace(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && WHITE_SPACE.test(raw.charAt(start))) start++;
  while (end > start && WHITE_SPACE.test(raw.charAt(end - 1))) end--;
  return raw.slice(start, end);
}
