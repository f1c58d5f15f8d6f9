import { normalizeText } from '../normalize-text.js';
import { findUrls } from './urls.js';

const URL_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const WIDE_WEIGHT = 2;
const NARROW_WEIGHT = 1;

/**
 * An emoji with its skin tone and the sign for its emoji form; the sign for the text form makes it a plain character,
 * and so does the lack of any sign for the two that are letters first.
 */
const PICTOGRAPH =
  '(?:[©®]\\uFE0F|(?![©®])\\p{Extended_Pictographic}(?!\\uFE0E)\\p{Emoji_Modifier}?\\uFE0F?)';
/** A quick look: units without which a text holds no emoji. */
const EMOJI_UNIT = /[\u20E3\uFE0F\u203C-\u32FF\uD83C-\uD83F]/;
/**
 * Any emoji sequence of the shapes of UTS #51: flags of regions and of subdivisions, keycaps, and up to four pictographs
 * joined by U+200D, which is the longest in use. By shape rather than by list, so that sequences newer than the
 * runtime's Unicode version count right, and bounded, so that a chain of joined emoji has no constant weight.
 */
const EMOJI = new RegExp(
  '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,6}\\u{E007F}|\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F?\\u20E3|' +
    `${PICTOGRAPH}(?:\\u200D${PICTOGRAPH}){0,3}`,
  'gu',
);

/**
 * The length of a text as posts count it (docs/api/posts.md#length): of its NFC form, each link 23, each emoji
 * sequence 2, characters of the narrow ranges 1, all others 2. Reply prefixes and links that the server appends are
 * not known here: leave them out of the text.
 */
export function weightedLength(text: string): number {
  if (/^[\0-\x2D\x2F-\x7F]*$/.test(text)) return text.length;
  const normalized = normalizeText(text, 'NFC');
  let weight = 0;
  let from = 0;
  for (const { start, end } of findUrls(normalized)) {
    weight += weightWithoutUrls(normalized.slice(from, start)) + URL_WEIGHT;
    from = end;
  }
  return weight + weightWithoutUrls(normalized.slice(from));
}

function weightWithoutUrls(text: string): number {
  if (!EMOJI_UNIT.test(text)) return weightOfCharacters(text);
  let emoji = 0;
  const rest = text.replace(EMOJI, () => {
    emoji++;
    return '';
  });
  return emoji * EMOJI_WEIGHT + weightOfCharacters(rest);
}

function weightOfCharacters(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    weight += isNarrow(unit) ? NARROW_WEIGHT : WIDE_WEIGHT;
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) at++;
  }
  return weight;
}

/** The ranges of weight 100 of 200 in the text configuration v3. */
function isNarrow(unit: number): boolean {
  if (unit <= 0x10ff) return true;
  if (unit < 0x2000 || unit > 0x2037) return false;
  return unit <= 0x200d || (unit >= 0x2010 && unit <= 0x201f) || unit >= 0x2032;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
